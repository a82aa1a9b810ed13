// Games from the first to the last move by mouse, touch and keyboard, and everything that can be done to a game.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { readFile, writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, desktop, phone, Server, Table, until, wish } from "./harness.mjs";

let server, browser;
before(async () => {
  server = await Server.fresh();
  browser = await Browser.launch();
});
after(async () => {
  await browser?.close();
  await server?.kill();
});
afterEach(() => browser.end());

// playOut plays until somebody has won. hand puts a move on the board.
async function playOut(table, hand) {
  for (;;) {
    const state = await table.settled((now) => now.result !== null || (!now.turn.engine && !now.turn.thinking && now.cursor === now.head), "the person's turn");
    if (state.result) {
      return state;
    }
    const move = wish(state.view, state.view.ply);
    await hand(move);
    await until(async () => (await table.state()).headMoves.length > state.headMoves.length, `${move} to be played`);
  }
}

const ways = {
  mouse: { options: desktop, hand: (table) => (move) => table.click(move) },
  touch: { options: phone, hand: (table) => (move) => table.tapTwice(move) },
  keyboard: { options: desktop, hand: (table) => (move) => table.steer(move) },
  typing: { options: phone, hand: (table) => (move) => table.type(move) },
};
const opponents = [
  { board: "5x5", walls: 2, players: ["person", "level:1"] },
  { board: "5x5", walls: 2, players: ["level:2", "person"] },
  { board: "9x9", walls: 10, players: ["person", "racer"] },
];
for (const [way, { options, hand }] of Object.entries(ways)) {
  for (const game of opponents) {
    test(`a whole game by ${way}: ${game.players.join(" against ")} on ${game.board}`, async () => {
      const context = await browser.context(options);
      const table = await Table.sit(server, context, { ...game, go: true });
      const end = await playOut(table, hand(table));
      await table.waitStatus(/wins|draw/);
      assert.match(await table.page.locator("#announce").textContent(), /wins|draw/i);
      assert.equal(await table.page.locator(".move").count(), end.headMoves.length);
      await table.click(end.view.pawnMoves[0] ?? "a1"); // a finished game takes no moves
      assert.equal((await table.state()).version, end.version);
      await context.close();
    });
  }
}

test("a new game from the dialog starts clean", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 3, moves: "b2h c3h" });
  const { page } = table;
  await page.keyboard.press("n");
  await page.locator('.chip[data-preset="5x5/2"]').click();
  await page.waitForSelector("#new-seat0 option[value=person]", { state: "attached" });
  await page.selectOption("#new-seat0", "person");
  await page.selectOption("#new-seat1", "level:1");
  await page.selectOption("#new-clock", "300+5");
  await page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => !document.querySelector("dialog") && document.querySelectorAll(".move").length === 0);
  const state = await table.state();
  assert.deepEqual(state.view.walls, []);
  assert.deepEqual([state.setup.board, state.setup.walls, state.setup.players.map((p) => p.spec), state.setup.clock], ["5x5", 2, ["person", "level:1"], { base: 300000, increment: 5000 }]);
  assert.equal(await page.locator(".walls .wall").count(), 0, "no walls of the last game");
  await context.close();
});

test("a new game on any board, and from a position; what is wrong is said", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 3 });
  const { page } = table;
  await page.keyboard.press("n");
  await page.selectOption("#new-columns", "4");
  await page.selectOption("#new-rows", "7");
  await page.fill("#new-walls", "6");
  await page.selectOption("#new-seat0", "person");
  await page.selectOption("#new-seat1", "person");
  await page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => !document.querySelector("dialog") && document.querySelectorAll(".cell").length === 28);
  assert.equal((await table.state()).setup.walls, 6);

  await page.keyboard.press("n");
  await page.locator("summary").click();
  await page.fill("#new-start", "9x9 e4 e6 nonsense 9,9 1");
  await page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("dialog .problem")?.textContent !== "");
  await page.fill("#new-start", "9x9 e4 e6 e3h,c6v 9,9 1");
  await page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => !document.querySelector("dialog") && document.querySelectorAll(".walls .wall").length === 2);
  browser.problems = browser.problems.filter((problem) => !/status of 400/.test(problem));
  await context.close();
});

test("undo, redo, branches, arrow keys, Home and End", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "9x9", walls: 10, players: ["person", "person"] });
  const { page } = table;
  for (const move of ["e2", "e8", "e3", "e7"]) {
    await table.type(move);
    await table.settled((state) => state.headMoves.at(-1) === move, move);
  }
  await page.locator("h1").click(); // out of the field
  await page.evaluate(() => document.activeElement?.blur());
  const cursorPly = async () => (await table.state()).view.ply;
  for (const [key, ply] of [["ArrowLeft", 3], ["ArrowLeft", 2], ["Home", 0], ["ArrowRight", 1], ["End", 4]]) {
    await page.keyboard.press(key);
    await until(async () => (await cursorPly()) === ply, `${key} to ply ${ply}`);
    await table.shows(await table.state());
  }
  await page.keyboard.press("u");
  await table.settled((state) => state.headMoves.length === 3, "undo");
  await table.button("Undo your move").click();
  await table.settled((state) => state.headMoves.length === 2, "undo by button");
  await page.keyboard.press("Shift+U");
  await table.settled((state) => state.headMoves.length === 3, "redo");

  // A branch: back to the second move and another third one.
  await page.locator(".move", { hasText: "e8" }).click();
  await table.settled((state) => state.view.ply === 2, "the second move");
  await table.click("d2");
  await table.settled((state) => state.headMoves.join() === "e2,e8,d2", "the branch");
  assert.equal(await page.locator(".branch .move").count(), 1);
  assert.match(await page.locator(".branch").textContent(), /d2/);
  await table.button("Make this the main line").click();
  await until(async () => /e3/.test((await page.locator(".branch").textContent()) ?? ""), "the other line to be the branch");
  await table.button("Delete from here").click();
  await until(async () => (await page.locator(".branch").count()) === 0, "the branch to go");
  assert.equal((await table.state()).nodes.length, 5);
  await context.close();
});

test("undo against an engine gives the turn back to the person", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "racer"] });
  await table.click("c2");
  await table.settled((state) => state.headMoves.length === 2, "the answer");
  await table.page.keyboard.press("u");
  const state = await table.settled((now) => now.headMoves.length === 0, "both moves to be taken back");
  assert.equal(state.turn.side, 0);
  assert.equal(state.turn.thinking, false);
  await context.close();
});

test("save, copy, load, and the links", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "person"], moves: "c2 c4 b2h" });
  const { page } = table;
  const text = (await table.state()).text;
  await table.button("Share").click();
  assert.equal((await page.inputValue("#game-text")).trim(), text.trim());
  await table.button("Copy the text").click();
  await page.waitForFunction(() => [...document.querySelectorAll("button")].some((button) => button.textContent === "Copied"));
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trim(), text.trim());
  const [download] = await Promise.all([page.waitForEvent("download"), table.button("Save as a file").click()]);
  const folder = await mkdtemp(join(tmpdir(), "rampart-web-"));
  const file = join(folder, "game.txt");
  await writeFile(file, await readFile(await download.path()));
  const link = await page.inputValue("#share-link");
  assert.match(link, /#g=.*c2\.c4\.b2h/, "a link that people can read");

  // By file, by paste, by position, by link: each time the same game.
  const moves = async () => (await table.state()).headMoves.join(" ");
  const wasId = await table.id();
  await page.setInputFiles("#load-file", file);
  await page.waitForFunction((old) => !document.querySelector("dialog") && !location.hash.endsWith(old), wasId);
  assert.equal(await moves(), "c2 c4 b2h");

  await table.button("Share").click();
  await page.fill("#load-text", "no game at all");
  await page.locator("#load-button").click();
  await page.waitForFunction(() => document.querySelector("dialog .problem")?.textContent !== "");
  await page.fill("#load-text", "5x5 c2 c4 b2h 2,3 1");
  await page.locator("#load-button").click();
  await page.waitForFunction(() => !document.querySelector("dialog") && document.querySelectorAll(".walls .wall").length === 1 && document.querySelectorAll(".move").length === 0);
  assert.equal((await table.state()).view.position, "5x5 c2 c4 b2h 2,3 1");

  const other = await browser.context();
  const guest = new Table(server, await other.newPage());
  await guest.page.goto(link);
  await guest.ready();
  await until(async () => (await guest.page.locator(".move").count()) === 3, "the shared game");
  assert.equal((await guest.state()).headMoves.join(" "), "c2 c4 b2h");
  await guest.click("c3"); // a copy of his own, so he can go on
  await until(async () => (await guest.state()).headMoves.length === 4, "the guest's move");
  browser.problems = browser.problems.filter((problem) => !/status of 400/.test(problem));
  await rm(folder, { recursive: true });
  await other.close();
  await context.close();
});

test("clocks run, stop with the game, and end it", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "person"], clock: { base: 3000, increment: 0 } });
  const { page } = table;
  await table.click("c2");
  await page.waitForSelector(".seat.by1 .seat-clock.running");
  await table.waitStatus(/ran out of time/);
  const state = await table.state();
  assert.deepEqual([state.result.winner, state.result.reason], [0, "time"]);
  assert.match(await page.locator(".seat.by1 .seat-clock").textContent(), /^0:0/);
  await context.close();
});

test("resigning asks first", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "9x9", walls: 10, players: ["person", "racer"], moves: "e2 e8" });
  await table.button("Resign").click();
  await table.button("No").click();
  assert.equal((await table.state()).result, null);
  await table.button("Resign").click();
  await table.button("Resign now").click();
  await table.waitStatus(/Orange wins: Blue resigned/);
  assert.equal((await table.state()).result.reason, "resignation");
  await context.close();
});

test("a draw by repetition is announced before and when it happens", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 0, players: ["person", "person"], moves: "b1 b5 c1 c5 b1 b5 c1" });
  await table.click("c5");
  await table.waitStatus(/third time/);
  const state = await table.state();
  assert.deepEqual([state.result.winner, state.result.reason], [-1, "repetition"]);
  await table.page.keyboard.press("ArrowLeft");
  await table.page.keyboard.press("ArrowLeft");
  await table.page.keyboard.press("ArrowLeft");
  await table.page.keyboard.press("ArrowLeft");
  await table.waitStatus(/second time; the third is a draw/);
  await context.close();
});

test("who plays can be changed in the game", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "person"], moves: "c2" });
  const { page } = table;
  await table.button("Settings").click();
  await page.waitForSelector("#seat1 option[value=racer]", { state: "attached" });
  await page.selectOption("#seat1", "racer");
  await table.settled((state) => state.headMoves.length === 2 && !state.turn.thinking, "the engine's answer");
  await page.selectOption("#seat0", "level:1");
  await page.selectOption("#seat1", "person");
  const state = await until(async () => {
    const now = await table.state();
    return now.turn.thinking === false && (!now.turn.engine || now.result) ? now : null;
  }, "the turn of a person, and no thinking for ever");
  assert.equal(state.turn.error, "");
  await context.close();
});
