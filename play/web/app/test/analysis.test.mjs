// Analysis: the live search, candidates, variations, heatmap, graph, review, exact values, what is hidden while playing, games of a run.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { auditBoth, Browser, desktop, phone, program, Server, Table, until } from "./harness.mjs";

let server, browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rampart-run-"));
  const run = spawnSync(program, ["selfplay", "--dir", folder, "--board", "5x5", "--walls", "2", "--net", "16x1", "--generations", "1", "--games", "6", "--simulations", "8"], { encoding: "utf8" });
  assert.equal(run.status, 0, `${run.stdout}${run.stderr}`);
  server = await Server.fresh("--run", folder);
  browser = await Browser.launch();
});
after(async () => {
  await browser?.close();
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => browser.end());

const people = ["person", "person"];

for (const [board, walls, moves, options] of [["9x9", 10, "e2 e8 e3 e7 e4 e6 d6h", desktop], ["5x5", 2, "c2 c4", desktop], ["5x5", 2, "c2 c4", phone]]) {
  test(`live analysis on ${board}, ${options.viewport.width} wide`, async () => {
    const context = await browser.context(options, { heat: true });
    const table = await Table.sit(server, context, { board, walls, players: people, moves });
    const { page } = table;
    await page.getByRole("switch", { name: "Analysis" }).click();
    await page.waitForSelector(".candidates tbody tr");
    const visits = async () => Number(/(\d+) visits/.exec(await page.locator(".analysis-status").textContent())?.[1] ?? 0);
    const first = await visits();
    await until(async () => (await visits()) > first || /k visits/.test(await page.locator(".analysis-status").textContent()), "the visits to grow");

    // Win, draw, loss add up, from player 0's side.
    const shares = (await page.locator(".wdl").getAttribute("aria-label")).match(/\d+/g).map(Number);
    const sum = shares.reduce((a, b) => a + b);
    assert.ok(shares.length === 3 && sum >= 98 && sum <= 102, `${shares}`);

    // Candidates: win rate, visits with share, prior.
    const cells = await page.locator(".candidates tbody tr").first().locator("td").allTextContents();
    assert.match(cells[0], /^\d+ %$|^(win|draw|loss)/);
    assert.match(cells[1], /^[\d.]+k? · \d+ %$/);
    assert.match(cells[2], /^\d+ %$/);

    // The variation is ghosted while it is pointed at or focused, and stays when pinned.
    const candidate = page.locator(".candidate").first();
    await candidate.focus();
    await page.waitForSelector(".ghost-move");
    await page.locator("#typed-move").focus();
    await until(async () => (await page.locator(".ghost-move").count()) === 0, "the ghost to go");
    if (options === desktop) {
      await page.locator(".candidates tbody tr").first().hover();
      await page.waitForSelector(".ghost-move");
      // The rows may be made anew while one is pointed at.
      await page.evaluate(() => document.querySelectorAll(".candidates tbody tr").forEach((row) => row.replaceWith(row.cloneNode(true))));
      await page.mouse.move(5, 5);
      await until(async () => (await page.locator(".ghost-move").count()) === 0, "the ghost to go");
    }

    // Heatmap of the policy, by a key.
    await page.waitForSelector("[data-heat]");
    await page.locator(".chip", { hasText: "Policy" }).click();
    await until(async () => (await page.locator("[data-heat]").count()) === 0, "no heatmap");

    // The search follows the position that is shown.
    await page.getByRole("button", { name: "One move back" }).click();
    await until(async () => (await page.locator(".candidates tbody tr").count()) > 0 && (await table.state()).view.side === (moves.split(" ").length - 1) % 2, "analysis of the position before");
    await page.getByRole("switch", { name: "Analysis" }).click();
    await until(async () => !(await table.state()).analysis.on && (await page.locator(".candidates tbody tr").count()) === 0, "the search to stop");
    await context.close();
  });
}

test("exact value and distance to the win on a small board", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "3x3", walls: 1, players: people });
  await table.page.keyboard.press("l");
  await table.page.waitForFunction(() => /Exact: ((Blue|Orange) wins in \d+ pl|a draw)/.test(document.querySelector(".exact")?.textContent ?? ""));
  await table.page.waitForFunction(() => /^(win|draw|loss)/.test(document.querySelector(".candidates .col-win:not(th)")?.textContent ?? ""));
  await context.close();
});

test("a review fills the graph and marks the mistakes; both lead to their moves", async () => {
  const context = await browser.context();
  // Blue walks away from the goal, so there is something to mark.
  const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: people, moves: "c2 c4 c1 b4 b1 b3 a1 b2" });
  const { page } = table;
  await table.button("Review the game").click();
  await until(async () => (await page.locator(".graph-line").getAttribute("points"))?.split(" ").length === 9, "nine points");
  await page.waitForSelector(".graph-mark");
  await page.waitForSelector(".move .mark");
  const marked = (await table.state()).nodes.filter((node) => node.mark);
  assert.ok(marked.length > 0);
  await page.locator(`.graph-mark[data-node="${marked[0].id}"]`).click();
  await table.settled((state) => state.cursor === marked[0].id, "the mistake");
  const box = await page.locator(".graph").boundingBox();
  await page.mouse.click(box.x + 3, box.y + box.height - 8);
  await table.settled((state) => state.view.ply === 0, "the start");
  await page.mouse.click(box.x + box.width - 3, box.y + box.height - 8);
  await table.settled((state) => state.view.ply === 8, "the end");
  await context.close();
});

test("hints are hidden while playing against an engine, unless asked for", async () => {
  const context = await browser.context(desktop, { heat: true });
  const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "level:1"] });
  const { page } = table;
  await page.waitForSelector(".hints-hidden:not([hidden])");
  assert.ok(await page.locator(".analysis-shown").isHidden());
  await page.keyboard.press("l");
  await table.waitStatus(/hidden while you play/);
  assert.equal((await table.state()).analysis.on, false);
  assert.equal(await page.locator("[data-heat]").count(), 0);
  await table.button("Show anyway").click();
  await page.waitForSelector(".candidates tbody tr");
  assert.equal((await table.state()).hints, true);
  await page.getByRole("switch", { name: "Analysis" }).click();
  await page.waitForSelector(".hints-hidden:not([hidden])");
  assert.equal((await table.state()).hints, false);
  // After the game everything is shown.
  await table.button("Resign").click();
  await table.button("Resign now").click();
  await page.waitForSelector(".analysis-shown:not([hidden])");
  await context.close();
});

test("games of a run are opened and stepped through with the search's numbers", async () => {
  const context = await browser.context(desktop, { heat: true });
  const table = await Table.sit(server, context, { board: "9x9", walls: 10, players: people });
  const { page } = table;
  await page.locator("nav").getByRole("button", { name: "Runs" }).click();
  await page.locator(".run-game").first().waitFor();
  await auditBoth(page, "runs");
  await page.locator(".run-game").first().click();
  await page.waitForFunction(() => !document.querySelector("dialog") && document.querySelectorAll(".cell").length === 25);
  await table.settled((state) => state.view.ply === 0 && state.nodes.length > 4, "the game at its start");
  const recorded = page.locator(".record:not([hidden])"); // random opening plies have none
  await until(async () => {
    if (await recorded.isVisible()) {
      return true;
    }
    await page.getByRole("button", { name: "One move forward" }).click();
    return false;
  }, "a move that was searched");
  assert.match(await page.locator(".record").textContent(), /\d+ % to win after \d+ visits/);
  await page.waitForSelector("[data-heat]");
  await auditBoth(page, "a recorded move");
  await page.evaluate(() => document.activeElement?.blur());
  const { ply } = (await table.state()).view;
  await page.keyboard.press("ArrowRight");
  await table.settled((state) => state.view.ply === ply + 1, "the next move");
  await context.close();
});
