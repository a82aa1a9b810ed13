// The win-rate graph: player 0's win rate after each move of the shown line. A click goes to the move; mistakes are marked by shape.
// It is SVG of our own and not a charting library's canvas, since marks, focus, themes and screen readers are most of it.

import { h, replace, s } from "./dom.ts";
import { glyphs } from "./moves.ts";
import { colour, lineThrough, type Session } from "./session.ts";
import type { TreeNode } from "./api.ts";

const WIDTH = 400;
const HEIGHT = 96;
const PAD = 4;

export class Graph {
  readonly element: HTMLElement;
  private readonly drawing = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  private readonly marks = h("div", { class: "graph-marks" });
  private line: TreeNode[] = [];
  private signature = "";

  constructor(private readonly session: Session) {
    this.element = h(
      "div",
      { class: "graph-holder", role: "group", "aria-label": "Win rate by move", onclick: (event: MouseEvent) => this.click(event) },
      this.drawing,
      this.marks,
    );
  }

  update(): void {
    const { state, view } = this.session;
    if (!state || !view) {
      return;
    }
    const nodes = new Map(state.nodes.map((n) => [n.id, n]));
    this.line = lineThrough(state, view.node).map((id) => nodes.get(id)).filter((n): n is TreeNode => n !== undefined);
    const signature = JSON.stringify([view.node, this.line.map((n) => [n.id, n.eval?.win0, n.mark])]);
    if (signature === this.signature) {
      return;
    }
    this.signature = signature;
    const known = this.line.map((node, i) => ({ node, i })).filter(({ node }) => node.eval !== undefined);
    const at = ({ node, i }: { node: TreeNode; i: number }): string => `${this.x(i)},${y(node.eval?.win0 ?? 0.5)}`;
    const here = this.line.findIndex((node) => node.id === view.node);
    const first = known[0];
    const last = known.at(-1);
    replace(
      this.drawing,
      first && last ? s("polygon", { class: "graph-area", points: `${this.x(first.i)},${HEIGHT} ${known.map(at).join(" ")} ${this.x(last.i)},${HEIGHT}` }) : null,
      s("line", { class: "graph-half", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      s("polyline", { class: "graph-line", points: known.map(at).join(" ") }),
      here >= 0 ? s("line", { class: "graph-here", x1: this.x(here), x2: this.x(here), y1: 0, y2: HEIGHT }) : null,
    );
    replace(this.marks, ...known.filter(({ node }) => node.mark !== undefined).map((point) => this.mark(point.node, point.i)));
  }

  // mark is a button, so that mistakes can be visited by keyboard.
  private mark(node: TreeNode, i: number): HTMLButtonElement {
    const kind = node.mark ?? "mistake";
    const label = `${colour(node.side ?? 0)} ${node.move}: ${kind}, lost ${Math.round((node.loss ?? 0) * 100)} %`;
    const button = h(
      "button",
      {
        type: "button",
        class: `graph-mark ${kind} by${node.side}`,
        "data-node": node.id,
        "aria-label": label,
        title: label,
        onclick: (event: MouseEvent) => {
          event.stopPropagation();
          void this.session.go(node.id);
        },
      },
      glyphs[kind],
    );
    button.style.left = `${(this.x(i) / WIDTH) * 100}%`;
    button.style.top = `${(y(node.eval?.win0 ?? 0.5) / HEIGHT) * 100}%`;
    return button;
  }

  private x(i: number): number {
    return PAD + (i * (WIDTH - 2 * PAD)) / Math.max(1, this.line.length - 1);
  }

  private click(event: MouseEvent): void {
    const box = this.drawing.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH;
    const i = Math.round(((share - PAD) * (this.line.length - 1)) / (WIDTH - 2 * PAD));
    const node = this.line[Math.max(0, Math.min(this.line.length - 1, i))];
    if (node) {
      void this.session.go(node.id);
    }
  }
}

function y(win0: number): number {
  return PAD + (1 - win0) * (HEIGHT - 2 * PAD);
}
