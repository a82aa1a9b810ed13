// The dialogs for the person's choices and for help.

import { checkbox, field, openDialog, option } from "./dialog.ts";
import { h, replace, set } from "./dom.ts";
import type { Key } from "./keys.ts";
import { colour, type Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import { seatsDialogPart } from "./players.ts";

export function applyTheme(theme: Settings["theme"]): void {
  set(document.documentElement, "data-theme", theme === "system" ? null : theme);
}

export function settingsDialog(session: Session): void {
  const { settings } = session;
  const theme = h(
    "select",
    { id: "theme", onchange: () => session.set({ theme: theme.value as Settings["theme"] }) },
    option("system", "as the system", settings.theme === "system"),
    option("light", "light", settings.theme === "light"),
    option("dark", "dark", settings.theme === "dark"),
  );
  const choice = (name: keyof Settings, label: string): HTMLElement => checkbox(label, settings[name] as boolean, (on) => session.set({ [name]: on }));
  openDialog(
    "Settings",
    field("Theme", theme),
    choice("coordinates", "Coordinates"),
    choice("dots", "Dots where the pawn can go, when it is your turn"),
    choice("walls", "Marks where walls can go"),
    choice("paths", "Shortest paths"),
    choice("heat", "Heatmap of the network's policy, in analysis"),
    choice("confirmTouch", "On touch, the first tap shows and the second plays"),
    choice("shortcuts", "Keys of one letter (switch off if you use speech input)"),
    seatsDialogPart(session),
  );
}

export function helpDialog(keys: Key[]): void {
  const list = h("dl", { class: "keys" });
  const rows = keys.flatMap((key) => [h("dt", {}, h("kbd", {}, key.label)), h("dd", {}, key.text)]);
  const board = [
    ["Arrows", "move the cursor"],
    ["H, V", "aim a horizontal or vertical wall, and back to squares"],
    ["Enter", "plays what the cursor is on"],
    ["Esc", "back to squares, then out of the board"],
  ].flatMap(([key = "", words = ""]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)]);
  replace(list, ...rows);
  openDialog(
    "How it works",
    h("p", {}, `${colour(0)} ● starts below and wants to reach the top row; ${colour(1)} ◆ wants to reach the bottom row. In your turn move the pawn by one square, or place a wall between squares. A wall is two squares long, may not overlap or cross another, and must leave both players a way. Facing the other pawn you jump over it, or go diagonally if a wall or the rim is behind it.`),
    h("p", {}, `Click a square to move, a groove between squares to place a wall. Moves can be typed, too: e2 is a square, e3h a wall above e3 and f3, e3v a wall right of e3 and e4. Positions and game files call ${colour(0)} player 0 and ${colour(1)} player 1.`),
    h("h3", {}, "Keys"),
    list,
    h("h3", {}, "Keys on the board (Tab goes there)"),
    h("dl", { class: "keys" }, ...board),
  );
}
