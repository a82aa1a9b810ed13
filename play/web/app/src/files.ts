// The dialog that gets games out and in: copy, save, share, load.

import { h, text } from "./dom.ts";
import { openDialog } from "./dialog.ts";
import type { Session } from "./session.ts";

const largestFile = 200_000;

export function filesDialog(session: Session): void {
  const { state, view } = session;
  if (!state || !view) {
    return;
  }
  const problem = h("p", { class: "problem", role: "alert" });
  const base = `${location.origin}${location.pathname}`;
  const load = h("textarea", { id: "load-text", rows: 5, spellcheck: "false", "aria-label": "Game or position to open", placeholder: "Paste a saved game, or a position such as 9x9 e4 e6 e3h,c6v 9,9 1" });
  const file = h("input", { type: "file", id: "load-file", "aria-label": "File to open", accept: ".txt,.pgn,text/plain", onchange: () => void readFile() });

  const open = async (content: string): Promise<void> => {
    const trimmed = content.trim();
    if (!trimmed) {
      text(problem, "There is nothing to open: paste a game or a position, or choose a file.");
      return;
    }
    session.notice = "";
    if (await session.create(isPosition(trimmed) ? { start: trimmed } : { text: trimmed })) {
      dialog.close();
    } else {
      text(problem, session.notice);
    }
  };
  const readFile = async (): Promise<void> => {
    const chosen = file.files?.[0];
    if (!chosen) {
      return;
    }
    if (chosen.size > largestFile) {
      text(problem, `${chosen.name} has ${Math.round(chosen.size / 1000)} kB; a game has at most ${largestFile / 1000}.`);
      return;
    }
    await open(await chosen.text());
  };
  const save = (): void => {
    const link = h("a", { href: URL.createObjectURL(new Blob([state.text], { type: "text/plain" })), download: `rampart-${state.setup.board}-${state.id}.txt` });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const dialog = openDialog(
    "Share, save, open",
    h("h3", {}, "This game"),
    copyRow("Link to the game so far", "share-link", `${base}#g=${state.share}`),
    copyRow("Link to watch live", "watch-link", `${base}#game=${state.id}`),
    copyRow("Position shown", "position-text", view.position),
    h("label", { class: "field" }, h("span", { class: "field-name" }, "Game as text"), h("textarea", { id: "game-text", readonly: true, rows: 6, spellcheck: "false" }, state.text)),
    h("div", { class: "buttons" }, copyButton("Copy the text", () => state.text), h("button", { type: "button", class: "button", id: "save-game", onclick: save }, "Save as a file")),
    h("h3", {}, "Open a game or a position"),
    load,
    problem,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button primary", id: "load-button", onclick: () => void open(load.value) }, "Open"), file),
  );
}

// isPosition tells a position from a game: six fields on one line, no tags.
function isPosition(content: string): boolean {
  return !content.includes("\n") && /^\d+x\d+(\s+\S+){5}$/.test(content);
}

function copyRow(label: string, id: string, value: string): HTMLElement {
  return h("div", { class: "copy-row" }, h("label", { class: "field" }, h("span", { class: "field-name" }, label), h("input", { id, type: "text", readonly: true, value, onfocus: (event: FocusEvent) => (event.target as HTMLInputElement).select() })), copyButton("Copy", () => value, label));
}

function copyButton(label: string, value: () => string, what = ""): HTMLButtonElement {
  const button = h("button", { type: "button", class: "button", "aria-label": what ? `${label}: ${what}` : null, onclick: () => void copy() }, label);
  const copy = async (): Promise<void> => {
    text(button, (await toClipboard(value())) ? "Copied" : "Select and copy by hand");
  };
  return button;
}

// toClipboard needs a secure context; elsewhere (a plain address in the local network) it says so by false.
async function toClipboard(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
}
