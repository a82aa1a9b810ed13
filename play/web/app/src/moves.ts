// The move list: the tree of moves with its branches, and the buttons that walk through it and change it.

import { h, replace, set } from "./dom.ts";
import { icon, type Icon } from "./icons.ts";
import { colour, type Session } from "./session.ts";
import type { Mark, TreeNode } from "./api.ts";

export const glyphs: Record<Mark, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "moves", role: "group", "aria-label": "Moves", tabindex: 0 });
  private readonly buttons = new Map<number, HTMLButtonElement>();
  private readonly controls: Record<string, HTMLButtonElement>;
  private signature = "";
  private revealedFor = "";
  private current = -1;

  constructor(private readonly session: Session) {
    new ResizeObserver(() => this.reveal()).observe(this.list);
    const button = (name: Icon, label: string, keys: string, action: () => void): HTMLButtonElement =>
      h("button", { type: "button", class: "tool", "aria-label": label, title: keys ? `${label} (${keys})` : label, onclick: action }, icon(name));
    this.controls = {
      first: button("first", "To the start", "Home", () => void session.go("start")),
      back: button("back", "One move back", "←", () => void session.go("back")),
      forward: button("forward", "One move forward", "→", () => void session.go("forward")),
      last: button("last", "To the end", "End", () => void session.go("end")),
      undo: button("undo", "Undo your move", "U", () => void session.versioned("undo")),
      redo: button("redo", "Redo", "Shift+U", () => void session.versioned("redo")),
      promote: button("up", "Make this the main line", "", () => void session.versioned("promote", { node: session.view?.node ?? 0 })),
      delete: button("trash", "Delete from here", "", () => void session.versioned("delete", { node: session.view?.node ?? 0 })),
    };
    const { first, back, forward, last, undo, redo, promote } = this.controls;
    this.element = h(
      "section",
      { class: "panel move-panel", "aria-label": "Game" },
      this.list,
      h("div", { class: "tools", role: "toolbar", "aria-label": "Game" }, first, back, forward, last, h("span", { class: "gap" }), undo, redo, promote, this.controls.delete),
    );
  }

  update(): void {
    const { session } = this;
    const { state, view } = session;
    if (!state || !view) {
      return;
    }
    const signature = JSON.stringify([state.id, state.head, state.nodes.map((n) => [n.id, n.children, n.mark, n.loss])]);
    if (signature !== this.signature) {
      this.signature = signature;
      this.draw(state.nodes, state.head);
    }
    for (const [id, button] of this.buttons) {
      set(button, "aria-current", id === view.node ? "true" : null);
    }
    if (signature !== this.revealedFor || view.node !== this.current) {
      this.revealedFor = signature;
      this.current = view.node;
      this.reveal();
    }
    const nodes = new Map(state.nodes.map((n) => [n.id, n]));
    const here = nodes.get(view.node);
    const line = state.line;
    const atEnd = line.includes(view.node) ? line.at(-1) === view.node : !here?.children.length;
    const off = (name: string, disabled: boolean): void => set(this.controls[name] as HTMLButtonElement, "disabled", disabled);
    const off0 = view.node === state.nodes[0]?.id;
    off("first", off0);
    off("back", off0);
    off("forward", atEnd);
    off("last", atEnd);
    off("undo", !session.owner || state.head === state.nodes[0]?.id);
    off("redo", !session.owner || !nodes.get(state.head)?.children.length);
    off("delete", !session.owner || off0);
    off("promote", !session.owner || onMainLine(nodes, view.node));
    for (const name of ["undo", "redo", "promote", "delete"]) {
      set(this.controls[name] as HTMLButtonElement, "hidden", !session.owner);
    }
  }

  // reveal scrolls the list, and nothing around it, as far as needed to see the current move.
  private reveal(): void {
    const { list } = this;
    const item = this.buttons.get(this.current);
    const top = item ? item.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop : 0;
    const bottom = top + (item?.offsetHeight ?? 0);
    if (top < list.scrollTop) {
      list.scrollTop = top;
    } else if (bottom > list.scrollTop + list.clientHeight) {
      list.scrollTop = bottom - list.clientHeight;
    }
  }

  // draw writes the main line in numbered pairs, and each branch in brackets below the move that it replaces.
  private draw(list: TreeNode[], head: number): void {
    const nodes = new Map(list.map((n) => [n.id, n]));
    this.buttons.clear();
    const root = list[0];
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    for (let parent = root; parent; ) {
      const [main, ...others] = parent.children.map((id) => nodes.get(id)).filter((n): n is TreeNode => n !== undefined);
      if (!main) {
        break;
      }
      const number = Math.ceil(main.ply / 2);
      const second = main.ply % 2 === 0;
      if (!row || !second) {
        row = h("div", { class: "pair" }, h("span", { class: "number" }, `${number}.`), second ? h("span", { class: "skipped" }, "…") : null);
        rows.push(row);
      }
      row.append(this.button(main, head));
      if (others.length > 0) {
        rows.push(...others.map((other) => h("div", { class: "branch" }, ...this.branch(nodes, other, head))));
        row = null;
      }
      parent = main;
    }
    replace(this.list, ...(rows.length > 0 ? rows : [h("p", { class: "faint" }, "No moves yet.")]));
  }

  // branch is a side line as text that flows, with its own branches in brackets.
  private branch(nodes: Map<number, TreeNode>, first: TreeNode, head: number): (Node | string)[] {
    const out: (Node | string)[] = [];
    let needsNumber = true;
    for (let node: TreeNode | undefined = first; node; ) {
      if (node.ply % 2 === 1 || needsNumber) {
        out.push(h("span", { class: "number" }, `${Math.ceil(node.ply / 2)}.${node.ply % 2 === 0 ? "…" : ""}`));
      }
      out.push(this.button(node, head));
      const [main, ...others]: TreeNode[] = node.children.map((id) => nodes.get(id)).filter((n): n is TreeNode => n !== undefined);
      for (const other of others) {
        out.push(h("span", { class: "nested" }, "(", ...this.branch(nodes, other, head), ")"));
      }
      needsNumber = others.length > 0;
      node = main;
    }
    return out;
  }

  private button(node: TreeNode, head: number): HTMLButtonElement {
    const mark = node.mark ? glyphs[node.mark] : "";
    const loss = node.mark && node.loss !== undefined ? `${node.mark}: lost ${Math.round(node.loss * 100)} %` : "";
    const spoken = `${colour(node.side ?? 0)} ${node.move ?? ""}${loss ? `, ${loss}` : ""}`;
    const button = h(
      "button",
      { type: "button", class: `move${node.id === head ? " head" : ""}`, "data-node": node.id, "aria-label": spoken, title: loss, onclick: () => void this.session.go(node.id) },
      node.move ?? "",
      mark ? h("span", { class: `mark ${node.mark}` }, mark) : null,
    );
    this.buttons.set(node.id, button);
    return button;
  }
}

function onMainLine(nodes: Map<number, TreeNode>, id: number): boolean {
  for (let node = nodes.get(id); node; node = nodes.get(node.parent)) {
    const parent = nodes.get(node.parent);
    if (parent && parent.children[0] !== node.id) {
      return false;
    }
  }
  return true;
}

