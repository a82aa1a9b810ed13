// The board: what pointer, touch and keyboard mean, previews, reasons, and everything that can be shown on it.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Browser, desktop, phone, Server, smallPhone, Table, until } from "./harness.mjs";

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

const two = { players: ["person", "person"] };
// Player 1 on a5 is nearly walled in: one more wall and he cannot reach row 1.
const cage = "5x5 c1 a5 a3h 3,3 0";

async function sit(game, options = desktop, settings = {}) {
  const context = await browser.context(options, settings);
  return Table.sit(server, context, { ...two, ...game });
}

test("a click on a square moves the pawn, a click on a groove places a wall", async () => {
  for (const [board, walls, moves] of [["9x9", 10, ["e2", "e8", "e3h", "c6v", "h8h", "a1v"]], ["5x5", 2, ["c2", "c4", "a1h", "d4v"]], ["3x3", 1, ["b2", "a1h"]]]) {
    const table = await sit({ board, walls });
    for (const move of moves) {
      await table.click(move);
      await table.settled((state) => state.headMoves.at(-1) === move, move);
    }
    assert.deepEqual((await table.state()).headMoves, moves);
    await table.page.context().close();
  }
});

test("what is drawn is what blocks, in both orientations and flipped", async () => {
  const table = await sit({ board: "4x7", walls: 6, moves: "b3h c4v" });
  for (const flip of [false, true]) {
    if (flip) {
      await table.page.keyboard.press("f");
    }
    const boxes = await table.page.evaluate(() => {
      const at = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
      const squares = Object.fromEntries([...document.querySelectorAll(".cell")].map((cell) => [cell.dataset.square, cell.getBoundingClientRect().toJSON()]));
      return { h: at('.walls [data-wall="b3h"]'), v: at('.walls [data-wall="c4v"]'), squares };
    });
    const between = (wall, one, other) => {
      const [a, b] = [boxes.squares[one], boxes.squares[other]];
      const [x, y] = [(a.left + a.right + b.left + b.right) / 4, (a.top + a.bottom + b.top + b.bottom) / 4];
      return x > wall.left && x < wall.right && y > wall.top && y < wall.bottom;
    };
    assert.ok(between(boxes.h, "b3", "b4") && between(boxes.h, "c3", "c4"), "b3h lies between b3/b4 and c3/c4");
    assert.ok(!between(boxes.h, "a3", "a4") && !between(boxes.h, "d3", "d4"));
    assert.ok(between(boxes.v, "c4", "d4") && between(boxes.v, "c5", "d5"), "c4v lies between c4/d4 and c5/d5");
    assert.ok(!between(boxes.v, "c3", "d3") && !between(boxes.v, "c6", "d6"));
  }
  // The same walls typed, clicked and told by the server cut the same edges.
  const { view } = await table.state();
  assert.deepEqual([...view.walls].sort(), ["b3h", "c4v"]);
});

test("hovering a groove shows the wall, legal or not, and says why not", async () => {
  const table = await sit({ start: cage });
  const { page } = table;
  const { view } = await table.state();
  const legal = view.wallMoves[0];
  await table.hover(legal);
  await page.waitForSelector(`.preview-wall.legal[data-move="${legal}"]`);
  await table.hover("b3h");
  await page.waitForSelector('.preview-wall.illegal[data-move="b3h"]');
  assert.match(await table.status(), /b3h: .*overlap/);
  await table.hover("a3v");
  await page.waitForSelector('.preview-wall.illegal[data-move="a3v"]');
  assert.match(await table.status(), /a3v: .*cross/);

  const [cut, why] = Object.entries(view.illegal).find(([, reason]) => reason.code === "cutoff");
  await table.hover(cut);
  await page.waitForSelector(`.preview-wall.illegal[data-move="${cut}"]`);
  assert.match(await table.status(), /would cut off (Blue|Orange) from the goal/);
  const hatched = await page.locator(".cut").evaluateAll((cells) => cells.map((cell) => cell.dataset.square));
  assert.deepEqual(hatched.sort(), [...why.cells].sort());

  await table.click(cut); // an illegal click changes nothing
  assert.equal((await table.state()).headMoves.length, 0);
  await page.mouse.move(1270, 790);
  await until(async () => (await page.locator(".preview *").count()) === 0, "the preview to go");
});

test("without walls left the reason says so", async () => {
  const table = await sit({ board: "5x5", walls: 0 });
  await table.hover("b2h");
  await table.waitStatus(/no walls left/);
});

test("a touch previews, a second one plays, and no ghost wall stays", async () => {
  for (const [board, wall] of [["9x9", "d5h"], ["5x5", "b2v"]]) {
    const table = await sit({ board, walls: 3 }, phone);
    const { page } = table;
    await table.tap(wall);
    await page.waitForSelector(`.preview-wall.legal.pending[data-move="${wall}"]`);
    assert.equal((await table.state()).headMoves.length, 0);
    await page.locator(".status-buttons").getByRole("button", { name: "Cancel" }).tap();
    await until(async () => (await page.locator(".preview *").count()) === 0, "the preview to go after Cancel");

    await table.tap(wall);
    await page.waitForSelector(".preview-wall.pending");
    await table.tap("a1"); // elsewhere
    await until(async () => (await page.locator(".preview *").count()) === 0, "the preview to go after a tap elsewhere");

    await table.tapTwice(wall);
    await table.settled((state) => state.headMoves.at(-1) === wall, "the wall to stand");
    assert.equal(await page.locator(".preview *").count(), 0, "no ghost wall");

    const pawn = (await table.state()).view.pawnMoves[0];
    await table.tap(pawn);
    await page.locator(".status-buttons").getByRole("button", { name: `Play ${pawn}` }).tap();
    await table.settled((state) => state.headMoves.at(-1) === pawn, "the pawn to move");
    assert.equal(await page.locator(".preview *").count(), 0, "no ghost pawn");
    await page.context().close();
  }
});

test("without confirmation one touch plays", async () => {
  const table = await sit({ board: "5x5", walls: 3 }, phone, { confirmTouch: false });
  await table.tap("b2h");
  await table.settled((state) => state.headMoves.at(-1) === "b2h", "the wall to stand");
  assert.equal(await table.page.locator(".preview *").count(), 0);
});

test("an illegal wall by touch says why, and goes", async () => {
  const table = await sit({ board: "5x5", walls: 3, moves: "b2h c4" }, phone);
  await table.tap("c2h");
  await table.waitStatus(/c2h: .*overlap/);
  await table.tap("c2h");
  assert.equal((await table.state()).headMoves.length, 2);
  await table.page.locator(".status-buttons").getByRole("button", { name: "OK" }).tap();
  await until(async () => (await table.page.locator(".preview *").count()) === 0, "the preview to go");
});

test("targets: dots for the pawn in your turn, wall marks on a key", async () => {
  const table = await sit({ board: "5x5", walls: 3 });
  const { page } = table;
  const { view } = await table.state();
  assert.deepEqual((await page.locator(".target").evaluateAll((dots) => dots.map((dot) => dot.dataset.goal))).sort(), [...view.pawnMoves].sort());
  assert.equal(await page.locator(".wall-target").count(), 0);
  await page.keyboard.press("t");
  await until(async () => (await page.locator(".wall-target").count()) === view.wallMoves.length, "all legal walls");
  await page.keyboard.press("t");
  await until(async () => (await page.locator(".wall-target").count()) === 0, "no wall marks");
});

test("shortest paths of both with their lengths", async () => {
  const table = await sit({ board: "9x9", walls: 10, moves: "e3h d8h" });
  const { view } = await table.state();
  await table.page.keyboard.press("s");
  for (const side of [0, 1]) {
    await table.page.waitForSelector(`.path.by${side}[data-length="${view.lengths[side]}"]`);
    assert.match(await table.page.locator(`.seat.by${side}`).textContent(), new RegExp(`${view.lengths[side]} steps? to go`));
  }
  await table.page.keyboard.press("s");
  await until(async () => (await table.page.locator(".path").count()) === 0, "no paths");
});

test("typed moves, good and bad", async () => {
  const table = await sit({ board: "9x9", walls: 10 });
  for (const move of ["e2", "E8", " e3H "]) {
    await table.type(move);
    const name = move.trim().toLowerCase();
    await table.settled((state) => state.headMoves.at(-1) === name, name);
  }
  for (const [bad, why] of [["zz", /is no move/], ["e3h", /e3h|overlap/], ["a9", /cannot go/], ["i9h", /is no move/]]) {
    await table.type(bad);
    await table.waitStatus(why);
    assert.equal((await table.state()).headMoves.length, 3, bad);
  }
});

test("the keyboard cursor reaches squares and anchors, also on a flipped board", async () => {
  const table = await sit({ board: "5x5", walls: 3 });
  await table.steer("c2");
  await table.settled((state) => state.headMoves.at(-1) === "c2", "c2");
  await table.page.keyboard.press("f");
  await table.steer("d3v");
  await table.settled((state) => state.headMoves.at(-1) === "d3v", "d3v");
  await table.steer("a1h");
  await table.settled((state) => state.headMoves.at(-1) === "a1h", "a1h");
  await table.steer("b1h"); // overlaps: says so, changes nothing
  await table.waitStatus(/b1h: .*overlap/);
  assert.match(await table.page.locator("#cursor-words").textContent(), /overlap/);
  assert.equal((await table.state()).headMoves.length, 3);
  await table.page.keyboard.press("Escape"); // from the wall to the square
  await table.page.keyboard.press("Escape"); // out of the board
  await until(async () => (await table.page.locator(".cursor-box").count()) === 0, "the cursor to go");
});

test("flip, coordinates and theme", async () => {
  const table = await sit({ board: "9x9", walls: 10 });
  const { page } = table;
  const top = async (square) => (await page.locator(`.cell[data-square="${square}"]`).boundingBox()).y;
  assert.ok((await top("a1")) > (await top("a9")));
  await page.keyboard.press("f");
  await until(async () => (await top("a1")) < (await top("a9")), "the board to turn");
  assert.equal(await page.locator(".coordinates text").count(), 18);
  await page.keyboard.press("c");
  await until(async () => (await page.locator(".coordinates text").count()) === 0, "no coordinates");
  await page.keyboard.press("c");

  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await paper();
  assert.notEqual(light, dark, "the theme follows the system");
  await table.button("Settings").click();
  await page.selectOption("#theme", "light");
  await until(async () => (await paper()) === light, "the light theme");
  await page.selectOption("#theme", "dark");
  await until(async () => (await paper()) === dark, "the dark theme");
  await page.keyboard.press("Escape");
  await page.reload();
  await table.ready();
  assert.equal(await paper(), dark, "the choice is kept");
});

test("the person at player 1's seat sits below", async () => {
  const table = await sit({ board: "5x5", walls: 2, players: ["racer", "person"], go: true });
  await table.settled((state) => state.headMoves.length === 1 && !state.turn.thinking, "the engine's first move");
  const top = async (square) => (await table.page.locator(`.cell[data-square="${square}"]`).boundingBox()).y;
  assert.ok((await top("a1")) < (await top("a5")));
});

test("every size fits a phone without scrolling sideways", async () => {
  for (let w = 3; w <= 9; w += 2) {
    for (let h = 3; h <= 9; h += 3) {
      const table = await sit({ board: `${w}x${h}`, walls: 1 }, smallPhone);
      const { page } = table;
      assert.equal(await page.locator(".cell").count(), w * h);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${w}x${h} is as wide as the screen`);
      const board = await page.locator(".board").boundingBox();
      assert.ok(board.height < 740 && board.width <= 360, `${w}x${h} is seen as a whole`);
      await page.context().close();
    }
  }
});

test("the players differ in shape, not only in colour", async () => {
  const table = await sit({ board: "5x5", walls: 2 });
  assert.equal(await table.page.locator(".pawn.by0 circle.body").count(), 1);
  assert.equal(await table.page.locator(".pawn.by1 rect.body").count(), 1);
});
