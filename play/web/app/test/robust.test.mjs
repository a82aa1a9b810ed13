// What must not break the page: a killed server, a failing engine, clicks at the wrong time, several tabs, spectators, a busy engine.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { auditBoth, Browser, desktop, phone, Server, Table, until } from "./harness.mjs";

const slow = "rollout:n=3000000"; // thinks for minutes, unless it is stopped
const failing = "perfect:memory=1"; // has no room for its tables
let server, browser;
before(async () => {
  browser = await Browser.launch();
});
beforeEach(async () => {
  server = await Server.fresh("--player", slow, "--player", failing); // a new one each time: engines of earlier tests may still think
});
afterEach(async () => {
  try {
    await browser.end();
  } finally {
    await server.kill(); // a server that outlives a failed test would keep the runner waiting
  }
});
after(() => browser?.close());

const offline = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|status of 404/;

for (const options of [desktop, phone]) {
  test(`the page recovers when the server restarts, ${options.viewport.width} wide`, async () => {
    const context = await browser.context(options);
    const table = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "racer"], clock: { base: 600000, increment: 0 } });
    const { page } = table;
    await table.type("c2");
    const before = await table.settled((state) => state.headMoves.length === 2 && !state.turn.thinking, "the answer");
    await server.kill();
    await page.waitForSelector(".banner:not([hidden])");
    assert.match(await page.locator(".banner").textContent(), /engine is restarting/);
    await table.type("c3"); // does nothing, says so
    await table.waitStatus(/cannot move/);
    await server.start();
    await page.waitForSelector(".banner[hidden]", { state: "attached" });
    const again = await table.settled((state) => state.headMoves.length === 2, "the game to be back");
    assert.deepEqual(again.headMoves, before.headMoves);
    assert.deepEqual(again.setup.players, before.setup.players);
    await page.fill("#typed-move", "");
    await table.type(again.view.pawnMoves.includes("c3") ? "c3" : again.view.pawnMoves[0]);
    await table.settled((state) => state.headMoves.length === 4 || state.result, "the game to go on");
    await page.reload(); // and the page finds the new game again
    await table.ready();
    assert.ok((await table.state()).headMoves.length >= 3);
    browser.clean(offline);
    await context.close();
  });
}

test("a kill while the engine thinks: it thinks again after the restart", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "9x9", walls: 10, players: ["person", slow] });
  await table.type("e2");
  await table.page.waitForSelector(".seat.by1.thinking"); // the page knows the move that it has to bring back
  await server.kill();
  await table.page.waitForSelector(".banner:not([hidden])");
  await server.start();
  await table.page.waitForSelector(".banner[hidden]", { state: "attached" });
  await table.settled((state) => state.headMoves[0] === "e2" && (state.turn.thinking || state.headMoves.length === 2), "the engine to think again");
  await table.page.waitForSelector(".status-buttons button");
  await until(async () => {
    if (await table.button("Move now").isVisible()) {
      await table.button("Move now").click();
    }
    return (await table.state()).headMoves.length === 2;
  }, "the engine's move");
  browser.clean(offline);
  await context.close();
});

test("an answer of a server that is gone by then does not hide that it is gone", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "person"] });
  const { page } = table;
  await page.route("**/move", async (route) => {
    const response = await route.fetch();
    await server.kill();
    await page.waitForSelector(".banner:not([hidden])");
    await route.fulfill({ response });
  });
  await table.type("c2");
  await until(async () => (await page.locator(".move").count()) === 1, "the answer");
  assert.equal(await page.locator(".banner").isVisible(), true);
  await server.start();
  await page.waitForSelector(".banner[hidden]", { state: "attached" });
  await table.settled((state) => state.headMoves.length === 1, "the game to be back, with the move");
  browser.clean(offline);
  await context.close();
});

test("two tabs and a spectator survive a restart together", async () => {
  const context = await browser.context();
  const one = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "person"], moves: "c2" });
  const two = await Table.open(server, context, await one.id(), { key: one.key });
  const others = await browser.context();
  const guest = await Table.open(server, others, await one.id());
  await server.kill();
  for (const table of [one, two, guest]) {
    await table.page.waitForSelector(".banner:not([hidden])");
  }
  await auditBoth(one.page, "the banner");
  await server.start();
  for (const table of [one, two, guest]) {
    await table.page.waitForSelector(".banner[hidden]", { state: "attached" });
  }
  assert.equal(await one.id(), await two.id(), "one game, not two");
  assert.equal(await one.id(), await guest.id());
  await one.type("c4");
  for (const table of [one, two, guest]) {
    await until(async () => (await table.page.locator(".move").count()) === 2, "the move in every tab");
  }
  browser.clean(offline);
  await others.close();
  await context.close();
});

test("clicks while the engine thinks do nothing; the person can stop it or make it move", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "9x9", walls: 10, players: ["person", slow] });
  const { page } = table;
  await table.click("e2");
  await until(async () => (await table.state()).turn.thinking, "the engine to think");
  await page.waitForSelector(".seat.by1.thinking");
  const before = await table.state();
  if (before.turn.thinking) {
    for (const move of ["e3", "e8", "d8", "e7h", "c3v", "e2"]) {
      await table.click(move);
    }
  }
  assert.equal(await page.locator(".preview *").count(), 0, "no preview while the engine thinks");
  const after = await table.state();
  assert.equal(after.headMoves[0], "e2");
  if (after.turn.thinking) {
    assert.equal(after.headMoves.length, 1);
    await table.button("Stop").click();
    await until(async () => !(await table.state()).turn.thinking, "the engine to stop");
    await table.button("Let it play").click();
    await until(async () => (await table.state()).turn.thinking, "the engine to think again");
    await table.button("Move now").click();
  }
  await table.settled((state) => state.headMoves.length === 2, "its move");
  await context.close();
});

test("an engine's failure returns the turn to the person", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", failing] });
  await table.click("c2");
  await table.waitStatus(/engine failed: .*It is your turn to move for Orange/);
  await table.button("Let it try again").click();
  await until(async () => !(await table.state()).turn.thinking, "it to fail again");
  await table.waitStatus(/engine failed/);
  await table.click("c4"); // the person moves in its place
  await table.settled((state) => state.headMoves.length === 2, "the move for Orange");
  await table.waitStatus(/Your turn/);
  await table.page.keyboard.press("u");
  await until(async () => (await table.state()).headMoves.length < 2, "undo");
});

test("a stale move changes nothing and shows the present state", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "person"] });
  const { page } = table;
  // The page's stream is held back, so that it does not see the other tab's move.
  await page.route("**/events", (route) => route.abort());
  await page.route("**/move", async (route) => {
    const body = route.request().postDataJSON();
    await route.continue({ postData: JSON.stringify({ ...body, version: body.version - 1 }) });
  });
  await table.click("c2");
  await table.waitStatus(/had moved on/);
  assert.equal((await table.state()).headMoves.length, 0);
  await page.unroute("**/move");
  await page.unroute("**/events");
  await table.click("c2");
  await table.settled((state) => state.headMoves.length === 1, "the move");
  browser.clean(/status of 409|ERR_FAILED/);
  await context.close();
});

test("two tabs act on one game, ten spectators watch and cannot", async () => {
  const context = await browser.context();
  const one = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "person"] });
  const id = await one.id();
  const two = await Table.open(server, context, id, { key: one.key });
  const guests = [];
  for (let i = 0; i < 10; i++) {
    guests.push(await Table.open(server, await browser.context(), id)); // ten people: ten profiles
  }
  const all = [one, two, ...guests];
  const seen = async (count) => {
    for (const table of all) {
      await until(async () => (await table.page.locator(".move").count()) === count, `${count} moves in every tab`);
    }
  };
  await one.click("c2");
  await seen(1);
  await two.click("c4");
  await seen(2);
  const [guest] = guests;
  await guest.click("b2");
  await guest.click("b2h");
  assert.equal((await one.state()).headMoves.length, 2);
  assert.match(await guest.status(), /watching/);
  await auditBoth(guest.page, "a spectator's view");
  assert.equal(await guest.button("Resign").count(), 0);
  assert.equal(await guest.page.locator("#typed-move").isVisible(), false);
  // A spectator steps back by himself; nobody else is disturbed.
  await guest.page.keyboard.press("ArrowLeft");
  await guest.waitStatus(/Move 1/);
  assert.equal((await one.state()).view.ply, 2);
  await one.click("c3");
  await seen(3);
  assert.match(await guest.status(), /Move 1/, "the spectator stays where he is");
  await guest.button("Follow the game").click();
  await until(async () => (await guest.page.locator('.pawn.by0').evaluate((pawn) => pawn.style.transform)) === (await one.page.locator('.pawn.by0').evaluate((pawn) => pawn.style.transform)), "the same position");
  await Promise.all([one, ...guests].map((table) => table.page.context().close()));
});

test("hidden tabs hold no connection, so that any number can be open", async () => {
  const context = await browser.context();
  const one = await Table.sit(server, context, { board: "5x5", walls: 3, players: ["person", "person"] });
  const id = await one.id();
  const see = (table, state) =>
    table.page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const tabs = [];
  for (let i = 0; i < 7; i++) {
    tabs.push(await Table.open(server, context, id, { key: one.key }));
    await see(tabs[i], "hidden");
  }
  await one.click("c2");
  await one.settled((state) => state.headMoves.length === 1, "the move");
  await see(tabs[3], "visible");
  await until(async () => (await tabs[3].page.locator(".move").count()) === 1, "the move in a tab that is seen again");
  await tabs[3].click("c4");
  await until(async () => (await one.page.locator(".move").count()) === 2, "the answer");
  await context.close();
});

test("the page stays usable while the engine thinks and analyses", async () => {
  const context = await browser.context(desktop, { heat: true, paths: true, walls: true });
  const table = await Table.sit(server, context, { board: "9x9", walls: 10, players: ["person", "person"], moves: "e2 e8 e3 e7 e4 e6" });
  const { page } = table;
  // A frame is late if a task of the page's main thread takes 50 ms. The trace has the processor time of every task, which does not depend
  // on how busy the machine is otherwise.
  await page.keyboard.press("l");
  await page.waitForSelector(".candidates tbody tr");
  await browser.browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  for (let round = 0; round < 8; round++) {
    await page.keyboard.press(round % 2 === 0 ? "ArrowLeft" : "ArrowRight"); // the search follows
    await page.keyboard.press("c"); // and input is answered meanwhile
    await table.hover(["d4h", "f6v", "c7h"][round % 3]);
    await until(async () => /[1-9]\S* visits/.test(await page.locator(".analysis-status").textContent()), "a report of the search");
  }
  const { traceEvents } = JSON.parse((await browser.browser.stopTracing()).toString());
  const main = new Set(traceEvents.filter((event) => event.name === "thread_name" && event.args.name === "CrRendererMain").map((event) => `${event.pid} ${event.tid}`));
  const tasks = traceEvents.filter((event) => /RunTask$/.test(event.name) && main.has(`${event.pid} ${event.tid}`) && event.tdur !== undefined).map((event) => event.tdur / 1000);
  assert.ok(tasks.length > 50, `the trace has the tasks of the page: ${tasks.length}`);
  const longest = Math.max(...tasks);
  assert.ok(longest < 50, `the longest task took ${longest} ms`);
  await context.close();
});
