// Accessibility: axe on every view in light and dark, announcements, names, focus, reduced motion.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { audit, Browser, desktop, phone, Server, Table, until } from "./harness.mjs";

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

for (const colorScheme of ["light", "dark"]) {
  for (const options of [desktop, phone]) {
    test(`axe finds nothing in any view, ${colorScheme}, ${options.viewport.width} wide`, async () => {
      const context = await browser.context({ ...options, colorScheme }, { heat: true });
      const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "level:1"], moves: "c2 c4", clock: { base: 600000, increment: 0 } });
      const { page } = table;
      const views = {
        game: async () => {},
        reason: async () => {
          await table.type("c9");
          await table.waitStatus(/no move/);
        },
        "resign question": () => table.button("Resign").click(),
      };
      for (const [name, open] of Object.entries(views)) {
        await open();
        await audit(page, name);
      }
      await table.button("No").click();
      for (const name of ["New game", "Share", "Settings", "Help"]) {
        await page.locator("nav").getByRole("button", { name, exact: true }).click();
        await page.waitForSelector("dialog[open]");
        if (name === "New game") {
          await page.waitForSelector("#new-seat0 option[value=person]", { state: "attached" });
          await page.locator("dialog summary").click();
        }
        await audit(page, name);
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog", { state: "detached" });
      }
      await table.button("Resign").click();
      await table.button("Resign now").click();
      await table.waitStatus(/resigned/);
      await table.button("One move back").click();
      await table.button("Review the game").click();
      await page.getByRole("switch", { name: "Analysis" }).click();
      await page.waitForSelector(".candidates tbody tr");
      await until(async () => (await page.locator(".graph-line").getAttribute("points"))?.split(" ").length >= 2, "the graph");
      await page.locator(".candidate").first().focus();
      await page.waitForSelector(".ghost-move");
      await audit(page, "analysis");
      await context.close();
    });
  }
}

test("moves, turns and results are announced politely", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "racer"] });
  const { page } = table;
  assert.equal(await page.locator("#announce").getAttribute("aria-live"), "polite");
  await table.type("c2");
  await table.settled((state) => state.headMoves.length === 2, "the answer");
  await page.waitForFunction(() => /Orange .*Your turn\./.test(document.querySelector("#announce").textContent));
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("b");
  await page.waitForFunction(() => /c2, Blue's pawn/.test(document.querySelector("#cursor-words").textContent));
  await page.keyboard.press("h");
  await page.waitForFunction(() => /horizontal wall c2/.test(document.querySelector("#cursor-words").textContent));
  assert.match(await page.locator("#board-summary").textContent(), /Blue on c2, \d+ steps to go, 2 walls left/);
  await context.close();
});

test("everything is reached by Tab, and dialogs give the focus back", async () => {
  const context = await browser.context();
  const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "person"], moves: "c2 c4" });
  const { page } = table;
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const element = document.activeElement;
      return element === document.body ? "" : element.getAttribute("aria-label") || element.id || element.textContent;
    });
    seen.add(name);
  }
  for (const name of ["New game", "Share", "Settings", "Help", "Board", "Type a move", "Undo your move", "Blue c2", "Paths"]) {
    assert.ok([...seen].some((one) => one.includes(name)), `${name} is reached by Tab: ${[...seen].join(", ")}`);
  }
  const help = page.locator("nav").getByRole("button", { name: "Help", exact: true });
  await help.focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Help");
  await context.close();
});

test("nothing moves by itself when reduced motion is asked for", async () => {
  for (const [reducedMotion, still] of [["reduce", true], ["no-preference", false]]) {
    const context = await browser.context({ ...desktop, reducedMotion });
    const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "person"] });
    const duration = await table.page.locator(".pawn.by0").evaluate((pawn) => getComputedStyle(pawn).transitionDuration);
    assert.equal(duration === "0s", still, duration);
    await context.close();
  }
});

test("single letters can be switched off", async () => {
  const context = await browser.context(desktop, { shortcuts: false });
  const table = await Table.sit(server, context, { board: "5x5", walls: 2, players: ["person", "person"] });
  await table.page.keyboard.press("n");
  await table.page.keyboard.press("ArrowLeft");
  assert.equal(await table.page.locator("dialog").count(), 0);
  await context.close();
});
