// The two players' cards: who, how far from the goal, walls left, clock, whose turn.

import { h, replace, set, text } from "./dom.ts";
import { sign } from "./icons.ts";
import { colour, type Session } from "./session.ts";

export class SeatCard {
  readonly element: HTMLElement;
  private readonly name = h("span", { class: "seat-name" });
  private readonly status = h("span", { class: "seat-status" });
  private readonly walls = h("span", { class: "seat-walls" });
  private readonly distance = h("span", { class: "seat-distance" });
  private readonly clock = h("span", { class: "seat-clock", role: "timer", hidden: true });
  private readonly sticks = h("span", { class: "sticks", "aria-hidden": "true" });
  private readonly count = h("span", { class: "seat-count" });

  constructor(
    private readonly session: Session,
    readonly side: 0 | 1,
  ) {
    this.walls.append(this.sticks, this.count);
    this.element = h(
      "section",
      { class: `seat by${side}`, "data-side": side, "aria-label": `${colour(side)} player` },
      sign(side),
      h("div", { class: "seat-who" }, this.name, this.status),
      h("div", { class: "seat-numbers" }, this.walls, this.distance),
      this.clock,
    );
  }

  update(): void {
    const { state, view } = this.session;
    if (!state || !view) {
      return;
    }
    const { side } = this;
    const seat = state.setup.players[side];
    text(this.name, seat.engine ? seat.name : this.session.owner && this.session.playing ? "You" : colour(side));
    const toMove = view.side === side && !view.result;
    const thinking = state.turn.thinking && state.turn.side === side;
    const won = view.result?.winner === side;
    text(this.status, won ? "wins" : thinking ? "thinking…" : toMove ? "to move" : seat.engine ? colour(side) : "");
    this.element.classList.toggle("to-move", toMove);
    this.element.classList.toggle("thinking", thinking);
    this.element.classList.toggle("won", won);
    const left = view.left[side];
    text(this.count, `${left} ${left === 1 ? "wall" : "walls"}`);
    this.drawSticks(left, state.setup.walls);
    const steps = view.lengths[side];
    text(this.distance, `${steps} ${steps === 1 ? "step" : "steps"} to go`);
    this.tick();
  }

  // tick shows the time left; the clock of the side to move runs on this page from when the state came.
  tick(): void {
    const clock = this.session.state?.clock;
    set(this.clock, "hidden", !clock);
    if (!clock) {
      return;
    }
    const running = clock.running === this.side && this.session.link === "live";
    const left = Math.max(0, clock.left[this.side] - (running ? performance.now() - this.session.received : 0));
    text(this.clock, clockText(left));
    this.clock.classList.toggle("running", running);
    this.clock.classList.toggle("short", left < 20_000);
  }

  private drawSticks(left: number, all: number): void {
    const shown = Math.min(all, 12);
    if (this.sticks.childElementCount !== shown) {
      replace(this.sticks, ...Array.from({ length: shown }, () => h("i")));
    }
    [...this.sticks.children].forEach((stick, i) => stick.classList.toggle("used", i >= (left * shown) / Math.max(1, all)));
  }
}

export function clockText(ms: number): string {
  const seconds = ms < 10_000 ? Math.floor(ms / 100) / 10 : Math.ceil(ms / 1000);
  const whole = Math.floor(seconds);
  const rest = ms < 10_000 ? (seconds % 60).toFixed(1).padStart(4, "0") : String(whole % 60).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
