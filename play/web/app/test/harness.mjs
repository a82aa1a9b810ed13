// What the browser tests share: a fresh server on a free port, a browser, pages that collect console errors, and hands for the board.
//
// RAMPART is the program to test (built by .ci/web), CHROMIUM the browser. Nothing waits on time: every wait is for a condition.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const program = process.env["RAMPART"] ?? "../../../rampart";
const browserPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const patience = Number(process.env["PATIENCE"] ?? 60_000); // how long a condition may take on a busy machine
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const desktop = { viewport: { width: 1280, height: 800 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const smallPhone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

export async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

// Server is one `rampart serve`; start can be called again after kill, on the same port.
export class Server {
  constructor(port, args = []) {
    this.port = port;
    this.args = args;
    this.base = `http://127.0.0.1:${port}/`;
  }

  static async fresh(...args) {
    const server = new Server(await freePort(), args);
    await server.start();
    return server;
  }

  async start() {
    this.output = "";
    this.child = spawn(program, ["serve", "--listen", `127.0.0.1:${this.port}`, ...this.args], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on("data", (data) => (this.output += data));
    }
    await until(async () => {
      assert.equal(this.child.exitCode, null, `the server ended: ${this.output}`);
      return fetch(`${this.base}api/info`).then((answer) => answer.ok, () => false);
    }, "the server to answer");
  }

  async kill() {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, "exit");
      this.child.kill("SIGKILL");
      await ended;
    }
  }

  async get(path) {
    const answer = await fetch(`${this.base}api/${path}`);
    assert.ok(answer.ok, `GET ${path}: ${answer.status}`);
    return answer.json();
  }

  async post(path, body, key) {
    const headers = { "Content-Type": "application/json", ...(key ? { "X-Game-Key": key } : {}) };
    const answer = await fetch(`${this.base}api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const result = await answer.json();
    assert.ok(answer.ok, `POST ${path}: ${answer.status} ${JSON.stringify(result)}`);
    return result;
  }
}

// until asks again and again until the answer is true. The pause only keeps the machine free.
export async function until(condition, what, limit = patience) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// Browser is a Chromium with an empty profile.
export class Browser {
  static async launch() {
    const self = new Browser();
    self.profile = mkdtempSync(join(tmpdir(), "rampart-web-"));
    self.browser = await chromium.launch({ executablePath: browserPath, headless: true, args: flags, env: { ...process.env, HOME: self.profile } });
    self.problems = [];
    return self;
  }

  // context makes a separate profile: another person.
  async context(options = desktop, settings = {}) {
    const context = await this.browser.newContext({ reducedMotion: "reduce", ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await context.addInitScript((chosen) => {
      if (location.protocol === "http:" && !localStorage.getItem("rampart.settings")) {
        localStorage.setItem("rampart.settings", JSON.stringify(chosen));
      }
    }, settings);
    context.on("page", (page) => this.watch(page));
    return context;
  }

  watch(page) {
    page.setDefaultTimeout(patience);
    page.on("pageerror", (error) => this.problems.push(`page error: ${error.stack ?? error}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
  }

  // clean fails if the console has said anything since the last call; allowed names what a test provoked.
  clean(allowed = /^$/) {
    const problems = this.problems.filter((problem) => !allowed.test(problem));
    this.problems = [];
    assert.deepEqual(problems, []);
  }

  // end closes all pages after a test, also a failed one, and looks at the console.
  async end() {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
    this.clean();
  }

  async close() {
    await this.browser.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}

// audit fails if axe finds something. It is evaluated by the debugger, so the page's content security policy stays as it is.
export async function audit(page, what) {
  await page.evaluate(await axe);
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join("; ")}`);
  });
  assert.deepEqual(violations, [], what);
}
const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// auditBoth is audit in light and dark.
export async function auditBoth(page, what) {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await audit(page, `${what}, ${colorScheme}`);
  }
}

// Table is a page with a game, and hands to play it.
export class Table {
  constructor(server, page) {
    this.server = server;
    this.page = page;
  }

  // sit makes a game by the server's interface and opens it as its owner.
  static async sit(server, context, game) {
    const made = await server.post("games", game);
    return Table.open(server, context, made.id, made);
  }

  static async open(server, context, id, made) {
    const page = await context.newPage();
    if (made) {
      await page.addInitScript(([name, value]) => location.protocol === "http:" && (localStorage.getItem(name) ?? localStorage.setItem(name, value)), [`rampart.game.${id}`, JSON.stringify({ key: made.key, state: null })]);
    }
    await page.goto(`${server.base}#game=${id}`);
    const table = new Table(server, page);
    table.key = made?.key;
    await table.ready();
    return table;
  }

  ready() {
    return this.page.waitForSelector('body[data-ready="yes"] .cell');
  }

  async id() {
    return new URL(this.page.url()).hash.replace("#game=", "");
  }

  async state() {
    return this.server.get(`games/${await this.id()}`);
  }

  // settled waits for the state that the condition wants and that the page shows, too.
  async settled(condition, what) {
    const state = await until(async () => {
      const now = await this.state();
      return condition(now) ? now : null;
    }, what);
    await this.shows(state);
    return state;
  }

  async shows(state) {
    await this.page.waitForFunction(
      ([pawns, node]) => {
        const current = document.querySelector('.move[aria-current="true"]');
        return (node === "0" ? current === null : current?.getAttribute("data-node") === node) && pawns.length === 2;
      },
      [state.view.pawns, String(state.cursor)],
    );
  }

  async spot(move) {
    const box = async (square) => {
      const found = await this.page.locator(`.cell[data-square="${square}"]`).boundingBox();
      assert.ok(found, `square ${square} is drawn`);
      return found;
    };
    const square = move.slice(0, 2);
    const a = await box(square);
    if (move.length === 2) {
      return { x: a.x + a.width / 2, y: a.y + a.height / 2 };
    }
    const b = await box(String.fromCharCode(square.charCodeAt(0) + 1) + (Number(square[1]) + 1));
    const middle = { x: (a.x + b.x + a.width) / 2, y: (a.y + b.y + a.height) / 2 };
    const aside = a.width * 0.22; // off the crossing, where both kinds of walls meet
    return move[2] === "h" ? { x: middle.x - aside, y: middle.y } : { x: middle.x, y: middle.y - aside };
  }

  async hover(move) {
    const at = await this.spot(move);
    await this.page.mouse.move(at.x, at.y);
  }

  async click(move) {
    const at = await this.spot(move);
    await this.page.mouse.move(at.x, at.y);
    await this.page.mouse.click(at.x, at.y);
  }

  async tap(move) {
    await this.page.locator(".board").scrollIntoViewIfNeeded();
    const at = await this.spot(move);
    await this.page.touchscreen.tap(at.x, at.y);
  }

  // tapTwice is a move by touch with confirmation.
  async tapTwice(move) {
    await this.tap(move);
    await this.page.waitForSelector(`.pending[data-move="${move}"]`);
    await this.tap(move);
  }

  // steer plays with the keyboard: to the square or the anchor by arrows, H or V for a wall, Enter.
  async steer(move) {
    const { page } = this;
    if (!(await page.locator(".board-holder").evaluate((board) => board === document.activeElement))) {
      await page.keyboard.press("b");
    }
    const cursor = () => page.locator(".cursor-box").getAttribute("data-target");
    const kind = move[2] ?? "";
    const now = (await cursor())[2] ?? "";
    if (now !== kind) {
      await page.keyboard.press(kind || now); // the same key once more leads back to squares
    }
    for (;;) {
      const at = await cursor();
      const dx = move.charCodeAt(0) - at.charCodeAt(0);
      const dy = Number(move[1]) - Number(at[1]);
      if (dx === 0 && dy === 0) {
        break;
      }
      const flipped = await page.evaluate(() => document.querySelector(".cell[data-square=a1]").getBoundingClientRect().top < document.querySelector(".cell[data-square=a2]").getBoundingClientRect().top);
      const sign = flipped ? -1 : 1;
      await page.keyboard.press(dx !== 0 ? (sign * dx > 0 ? "ArrowRight" : "ArrowLeft") : sign * dy > 0 ? "ArrowUp" : "ArrowDown");
      await page.waitForFunction((old) => document.querySelector(".cursor-box")?.getAttribute("data-target") !== old, at);
    }
    await page.keyboard.press("Enter");
  }

  async type(move) {
    await this.page.fill("#typed-move", move);
    await this.page.keyboard.press("Enter");
  }

  status() {
    return this.page.locator(".status-words").textContent();
  }

  waitStatus(pattern) {
    return this.page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".status-words")?.textContent ?? ""), pattern.source);
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }
}

// wish is a sensible move: the next square of the shortest path, now and then a wall across the other's.
export function wish(view, ply) {
  if (ply % 5 === 2 && view.left[view.side] > 0) {
    const [x, y] = [view.pawns[1 - view.side].charCodeAt(0), Number(view.pawns[1 - view.side][1])];
    const near = view.wallMoves.find((move) => move[2] === "h" && Math.abs(move.charCodeAt(0) - x) <= 1 && Math.abs(Number(move[1]) - y) <= 1);
    if (near) {
      return near;
    }
  }
  const next = view.paths[view.side][1];
  return view.pawnMoves.includes(next) ? next : view.pawnMoves[0];
}
