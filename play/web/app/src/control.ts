// What the person aims at and plays: pointer, touch and keyboard on the board. One aim at a time; a touch or a key never leaves one behind.

import { Board, type Preview } from "./board.ts";
import { h, set } from "./dom.ts";
import { clamp, moveName, onBoard, parseMove, squareName, type Target } from "./geometry.ts";
import { colour, type Session } from "./session.ts";
import type { View } from "./api.ts";

export class Control {
  readonly element: HTMLDivElement;
  reason = ""; // why the aimed move is not possible, or what is aimed at
  pending: Target | null = null; // waits for the second tap
  private aimed: Target | null = null;
  private cursor: Target | null = null;
  private position = ""; // for which the aim was taken
  private told = ""; // what the status line was last asked to show

  constructor(
    private readonly session: Session,
    private readonly board: Board,
    private readonly changed: () => void,
    private readonly speak: (text: string) => void,
  ) {
    this.element = h(
      "div",
      {
        class: "board-holder",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "Quoridor board",
        "aria-label": "Board",
        "aria-describedby": "board-summary",
        onpointermove: (event: PointerEvent) => this.hover(event),
        onpointerleave: () => this.release(),
        onpointercancel: () => this.drop(),
        onpointerdown: (event: PointerEvent) => this.press(event),
        onmousedown: (event: MouseEvent) => event.preventDefault(), // a click leaves the focus, and so the arrow keys, where they are
        onclick: (event: MouseEvent) => this.click(event as PointerEvent),
        onkeydown: (event: KeyboardEvent) => this.key(event),
        onfocus: () => this.enter(),
        onblur: () => this.exit(),
      },
      board.element,
    );
  }

  // refresh follows a new state: an aim at another position is dropped.
  refresh(): void {
    const { view, canMove, state } = this.session;
    const position = view ? `${state?.version} ${view.node} ${view.position}` : "";
    if (position !== this.position) {
      this.position = position;
      this.reason = "";
      this.told = "";
      this.pending = null;
      this.aimed = null;
    } else if (!canMove) {
      this.pending = null;
      this.aimed = null;
    }
    if (this.cursor && view) {
      this.cursor = this.inside(this.cursor);
    }
    set(this.element, "data-active", canMove ? "yes" : "no");
    this.show();
  }

  // drop forgets the aim.
  drop(): void {
    this.pending = null;
    this.aim(null);
  }

  // confirm plays what waits.
  confirm(): void {
    const target = this.pending;
    this.pending = null;
    if (target) {
      this.play(target);
    }
  }

  // typed plays a move given as text, and says what is wrong with it.
  async typed(text: string): Promise<boolean> {
    const { session } = this;
    const { view, state } = session;
    const target = parseMove(text);
    if (!view || !state) {
      return false;
    }
    if (!target || !onBoard(session.shape, target)) {
      this.tell(`“${text.trim()}” is no move on this board; type a square (e2) or a wall (e3h, e3v).`);
      return false;
    }
    if (!session.canMove) {
      this.tell(state.turn.thinking ? "It is not your turn: the engine is thinking." : "You cannot move here.");
      return false;
    }
    if (!this.legal(view, target)) {
      this.aim(target);
      this.tell(this.why(view, target));
      return false;
    }
    return session.play(moveName(target));
  }

  private tell(reason: string): void {
    this.reason = reason;
    this.told = reason;
    this.speak(reason);
    this.changed();
  }

  // Pointers

  private hover(event: PointerEvent): void {
    if (event.pointerType === "touch" || this.pending) {
      return;
    }
    this.aim(this.board.target(event.clientX, event.clientY));
  }

  private release(): void {
    if (!this.pending) {
      this.aim(null);
    }
  }

  private press(event: PointerEvent): void {
    if (event.pointerType === "touch" && !this.pending && this.session.canMove) {
      this.aim(this.board.target(event.clientX, event.clientY));
    }
  }

  private click(event: PointerEvent): void {
    const { session } = this;
    const { view } = session;
    const target = this.board.target(event.clientX, event.clientY);
    if (!view || !session.canMove) {
      return;
    }
    const touch = event.pointerType === "touch" || event.pointerType === "pen";
    if (!target || (target.kind === "pawn" && !this.legal(view, target))) {
      this.drop();
      if (target && squareName(target) !== view.pawns[view.side as 0 | 1]) {
        this.tell(`${squareName(target)}: ${this.why(view, target)}`);
      }
      return;
    }
    if (touch && session.settings.confirmTouch) {
      if (this.pending && moveName(this.pending) === moveName(target) && this.legal(view, target)) {
        this.confirm();
        return;
      }
      this.pending = target;
      this.aim(target);
      return;
    }
    this.pending = null;
    if (this.legal(view, target)) {
      this.play(target);
    } else if (touch) {
      this.pending = target; // so that the reason stays in sight after the finger has gone
      this.aim(target);
    } else {
      this.aim(target);
      this.speak(this.reason);
    }
  }

  // Keyboard

  private enter(): void {
    const { view } = this.session;
    const own = view ? parseMove(view.pawns[view.side as 0 | 1]) : null;
    this.cursor ??= own ?? { x: 0, y: 0, kind: "pawn" };
    this.show();
    this.describeCursor();
  }

  private exit(): void {
    this.cursor = null;
    this.drop();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.cursor) {
      return;
    }
    const step = steps[event.key];
    const letter = event.key.toLowerCase();
    if (step) {
      this.move(step[0], step[1]);
    } else if (letter === "h" || letter === "v") {
      this.turn(this.cursor.kind === letter ? "pawn" : letter);
    } else if (event.key === "Enter" || event.key === " ") {
      this.enterMove();
    } else if (event.key === "Escape") {
      if (this.pending) {
        this.drop();
      } else if (this.cursor.kind !== "pawn") {
        this.turn("pawn");
      } else {
        this.element.blur();
      }
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private move(right: number, up: number): void {
    if (!this.cursor) {
      return;
    }
    const sign = this.session.flip ? -1 : 1;
    this.cursor = this.inside({ ...this.cursor, x: this.cursor.x + sign * right, y: this.cursor.y + sign * up });
    this.describeCursor();
  }

  private turn(kind: Target["kind"]): void {
    if (this.cursor) {
      this.cursor = this.inside({ ...this.cursor, kind });
      this.describeCursor();
    }
  }

  private inside(target: Target): Target {
    const { w, h: height } = this.session.shape;
    const less = target.kind === "pawn" ? 1 : 2;
    return { ...target, x: clamp(target.x, 0, w - less), y: clamp(target.y, 0, height - less) };
  }

  // describeCursor shows and says what lies under the cursor.
  private describeCursor(): void {
    const { cursor, session } = this;
    const { view } = session;
    if (!cursor || !view) {
      return;
    }
    const name = moveName(cursor);
    this.pending = null;
    this.aim(session.canMove ? cursor : null);
    const words: string[] = [];
    if (cursor.kind === "pawn") {
      words.push(name);
      const by = view.pawns.indexOf(name);
      words.push(by >= 0 ? `${colour(by)}'s pawn` : view.pawnMoves.includes(name) && session.canMove ? "you can move here" : "");
    } else {
      words.push(`${cursor.kind === "h" ? "horizontal" : "vertical"} wall ${name}`);
      words.push(view.walls.includes(name) ? "stands here" : this.legal(view, cursor) ? "possible" : this.why(view, cursor));
    }
    this.speak(words.filter((word) => word !== "").join(", "));
  }

  private enterMove(): void {
    const { cursor, session } = this;
    const { view } = session;
    if (!cursor || !view) {
      return;
    }
    if (!session.canMove) {
      this.tell(session.state?.turn.thinking ? "It is not your turn: the engine is thinking." : "You cannot move here.");
    } else if (this.legal(view, cursor)) {
      this.play(cursor);
    } else {
      this.tell(`${moveName(cursor)}: ${this.why(view, cursor)}`);
    }
  }

  // Aiming

  private play(target: Target): void {
    this.aim(null);
    void this.session.play(moveName(target));
  }

  private aim(target: Target | null): void {
    const { view, canMove } = this.session;
    this.aimed = target && view && canMove ? target : null;
    this.reason = "";
    if (this.aimed && view && this.aimed.kind !== "pawn" && !this.legal(view, this.aimed) && !view.walls.includes(moveName(this.aimed))) {
      this.reason = `${moveName(this.aimed)}: ${this.why(view, this.aimed)}`;
    }
    this.show();
    const told = `${this.reason}${this.pending ? moveName(this.pending) : ""}`;
    if (told !== this.told) {
      this.told = told;
      this.changed();
    }
  }

  private show(): void {
    const { view } = this.session;
    this.board.cursor(this.cursor);
    const target = this.aimed;
    if (!target || !view || view.walls.includes(moveName(target))) {
      this.board.aim(null);
      return;
    }
    const legal = this.legal(view, target);
    const cut = target.kind === "pawn" ? [] : (view.illegal[moveName(target)]?.cells ?? []);
    const preview: Preview = { target, legal, pending: this.pending !== null, cut, side: view.side };
    this.board.aim(preview);
  }

  private legal(view: View, target: Target): boolean {
    return (target.kind === "pawn" ? view.pawnMoves : view.wallMoves).includes(moveName(target));
  }

  // why says in words what is against a move.
  private why(view: View, target: Target): string {
    if (target.kind === "pawn") {
      return "the pawn cannot go there.";
    }
    const illegal = view.illegal[moveName(target)];
    switch (illegal?.code) {
      case "cutoff":
        return `the wall would cut off ${colour(illegal.player ?? -1)} from the goal.`;
      case "nowalls":
        return `${colour(view.side)} has no walls left.`;
      default:
        return `${illegal?.text ?? "not possible"}.`;
    }
  }
}

const steps: Record<string, [number, number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
