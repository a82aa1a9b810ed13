// The analysis panel: win/draw/loss, candidates, exact values, the win-rate graph, and the review of a whole game.

import { Graph } from "./graph.ts";
import { h, replace, set, text } from "./dom.ts";
import { colour, type Session } from "./session.ts";
import type { Analysis, Candidate, Exact, Outcome } from "./api.ts";

const reviewVisits = 100;

export class AnalysisPanel {
  readonly element: HTMLElement;
  ghost: string[] = []; // the variation that is pointed at
  private readonly graph: Graph;
  private readonly toggle: HTMLButtonElement;
  private readonly model: HTMLSelectElement;
  private readonly status = h("p", { class: "analysis-status" });
  private readonly bar = h("div", { class: "wdl", role: "img" });
  private readonly exact = h("p", { class: "exact", hidden: true });
  private readonly record = h("p", { class: "record", hidden: true });
  // The events are the table's own, since a row that goes away under the pointer does not hear it leave.
  private readonly rows = h("tbody", {
    onpointerover: (event: Event) => this.point(moveAt(event)),
    onpointerleave: () => this.point(""),
    onfocusin: (event: Event) => this.point(moveAt(event)),
    onfocusout: () => this.point(""),
  });
  private readonly table: HTMLTableElement;
  private readonly hidden: HTMLElement;
  private readonly shown: HTMLElement;
  private readonly review: HTMLButtonElement;
  private readonly progress = h("progress", { hidden: true, "aria-label": "Review" });
  private pinned = ""; // the candidate whose variation stays on the board while none is pointed at
  private drawnRows = "";

  constructor(
    private readonly session: Session,
    private readonly changed: () => void,
  ) {
    this.graph = new Graph(session);
    this.toggle = h("button", { type: "button", class: "switch", role: "switch", "aria-checked": "false", onclick: () => void this.switch() }, h("span", { class: "knob" }), h("span", {}, "Analysis"));
    this.model = h("select", { "aria-label": "Network that analyses", onchange: () => void this.turn(true) });
    this.table = h(
      "table",
      { class: "candidates" },
      h("caption", { class: "sr-only" }, "Candidate moves, best first"),
      h("thead", {}, h("tr", {}, ...["Move", "Win", "Visits", "Prior", "Line"].map((name) => h("th", { scope: "col", class: `col-${name.toLowerCase()}` }, name)))),
      this.rows,
    );
    this.hidden = h(
      "div",
      { class: "hints-hidden", hidden: true },
      h("p", {}, "Hidden while you play."),
      h("button", { type: "button", class: "button", onclick: () => void this.turn(true, true) }, "Show anyway"),
    );
    this.review = h("button", { type: "button", class: "button small", onclick: () => void this.toggleReview() }, "Review the game");
    this.shown = h(
      "div",
      { class: "analysis-shown" },
      this.bar,
      this.exact,
      this.record,
      h("div", { class: "table-holder", tabindex: 0, role: "group", "aria-label": "Candidate moves" }, this.table),
      this.graph.element,
      h("div", { class: "review" }, this.review, this.progress),
    );
    this.element = h(
      "section",
      { class: "panel analysis-panel", "aria-label": "Analysis" },
      h("div", { class: "panel-head" }, this.toggle, this.model, this.status),
      this.hidden,
      this.shown,
    );
  }

  // switch turns the live search on or off.
  switch(): Promise<void> {
    return this.turn(!this.session.state?.analysis.on);
  }

  private async turn(on: boolean, hints = false): Promise<void> {
    const { session } = this;
    if (on && session.playing && !session.state?.hints && !hints) {
      session.say("Hints are hidden while you play; “Show anyway” shows them.");
      return;
    }
    const body = on ? { on, ...(this.model.value ? { model: this.model.value } : {}), ...(session.playing ? { hints: true } : {}) } : { on, ...(session.playing ? { hints: false } : {}) };
    await session.act("analysis", body);
  }

  private async toggleReview(): Promise<void> {
    const { state, playing } = this.session;
    if (state) {
      await this.session.act("review", state.review.running ? { on: false } : { on: true, visits: reviewVisits, ...(playing ? { hints: true } : {}) });
    }
  }

  update(): void {
    const { session } = this;
    const { state, view } = session;
    if (!state || !view) {
      return;
    }
    const hide = session.playing && !state.hints;
    set(this.hidden, "hidden", !hide);
    set(this.hidden.querySelector("button") as Element, "hidden", !session.owner);
    set(this.shown, "hidden", hide);
    set(this.toggle, "aria-checked", state.analysis.on ? "true" : "false");
    set(this.toggle, "disabled", !session.owner);
    this.listModels();
    const analysis = session.analysis && session.analysis.node === view.node ? session.analysis : null;
    text(this.status, this.statusText(analysis));
    this.drawBar(analysis);
    this.drawExact(analysis);
    this.drawRecord();
    this.drawRows(analysis);
    this.graph.update();
    const { review } = state;
    text(this.review, review.running ? "Stop the review" : "Review the game");
    set(this.review, "hidden", !session.owner);
    set(this.progress, "hidden", !review.running);
    this.progress.max = Math.max(1, review.of);
    this.progress.value = review.done;
  }

  private listModels(): void {
    const models = this.session.info?.models ?? [];
    if (this.model.childElementCount !== models.length + 1) {
      replace(this.model, h("option", { value: "" }, "best network"), ...models.map((m) => h("option", { value: m.name, title: m.text }, m.name)));
    }
    set(this.model, "hidden", models.length < 2);
    set(this.model, "disabled", !this.session.owner);
  }

  private statusText(analysis: Analysis | null): string {
    const on = this.session.state?.analysis.on;
    if (!on || !analysis) {
      return !on ? "" : this.session.view?.result ? "the game is over here" : "starting…";
    }
    if (analysis.error) {
      return analysis.error;
    }
    const speed = analysis.time > 300 ? `, ${short((analysis.visits * 1000) / analysis.time)}/s` : "";
    return `${analysis.waiting ? "waiting: " : ""}${short(analysis.visits)} visits${speed}${analysis.trained ? "" : " (not trained for this board)"}`;
  }

  // drawBar shows the chances from player 0's side, so that the bar does not jump when the turn passes.
  private drawBar(analysis: Analysis | null): void {
    if (!analysis || analysis.visits === 0) {
      set(this.bar, "hidden", true);
      return;
    }
    const [win, draw, loss] = analysis.wdl;
    const shares = analysis.side === 0 ? [win, draw, loss] : [loss, draw, win];
    const names = [`${colour(0)} wins`, "draw", `${colour(1)} wins`];
    const percents = shares.map((share) => Math.round(share * 100));
    set(this.bar, "hidden", false);
    set(this.bar, "aria-label", names.map((name, i) => `${name} ${percents[i]} %`).join(", "));
    if (this.bar.childElementCount !== 3) {
      replace(this.bar, h("span", { class: "part by0" }), h("span", { class: "part draw" }), h("span", { class: "part by1" }));
    }
    shares.forEach((share, i) => {
      const part = this.bar.children[i] as HTMLElement;
      part.style.flexGrow = String(Math.max(share, 0.0001));
      text(part, share >= 0.1 ? `${percents[i]} %` : "");
    });
  }

  private drawExact(analysis: Analysis | null): void {
    const exact = analysis?.exact;
    set(this.exact, "hidden", !exact);
    if (exact && analysis) {
      text(this.exact, exact.state === "solving" ? "Exact value: being solved…" : `Exact: ${exactText(exact, analysis.side)}`);
    }
  }

  private drawRecord(): void {
    const view = this.session.view;
    const record = view?.record;
    set(this.record, "hidden", !record);
    if (record && view) {
      const best = Object.entries(record.policy).sort((a, b) => b[1] - a[1]).slice(0, 3).map(([move, share]) => `${move} ${percent(share)}`);
      text(this.record, `In the run: ${colour(view.side)} ${percent((record.value + 1) / 2)} to win after ${record.visits} visits${record.fast ? " (fast move)" : ""}; ${best.join(", ")}`);
    }
  }

  private drawRows(analysis: Analysis | null): void {
    const moves = analysis?.moves ?? [];
    set(this.table, "hidden", moves.length === 0);
    if (!moves.some((m) => m.move === this.pinned)) {
      this.pinned = "";
    }
    const order = moves.map((m) => m.move).join();
    if (order !== this.drawnRows) {
      const focused = document.activeElement instanceof HTMLElement && this.rows.contains(document.activeElement) ? document.activeElement.dataset["move"] : undefined;
      this.drawnRows = order;
      replace(this.rows, ...moves.map((m) => this.row(m.move)));
      if (focused) {
        this.rows.querySelector<HTMLElement>(`button[data-move="${focused}"]`)?.focus();
      }
    }
    const [ghost] = this.ghost;
    if (ghost !== undefined && ghost !== this.pinned && !(moves.some((m) => m.move === ghost) && this.rows.matches(":hover, :focus-within"))) {
      this.point("");
    }
    moves.forEach((candidate, i) => this.fillRow(this.rows.children[i] as HTMLTableRowElement, candidate, analysis?.exact ?? null));
  }

  private row(move: string): HTMLTableRowElement {
    const pin = (): void => {
      this.pinned = this.pinned === move ? "" : move;
      this.point("");
      this.update();
    };
    const button = h("button", { type: "button", class: "candidate", "data-move": move, "aria-pressed": "false", title: "Keep the variation on the board", onclick: pin }, move);
    const cells = ["win", "visits", "prior", "line"].map((name) => h("td", { class: `col-${name}` }));
    return h("tr", { "data-move": move }, h("th", { scope: "row" }, button), ...cells);
  }

  private fillRow(row: HTMLTableRowElement, candidate: Candidate, exact: Exact | null): void {
    const [, win, visits, prior, line] = [...row.cells];
    const value = exact?.state === "known" ? exact.moves?.[candidate.move] : undefined;
    text(win as Element, value ? `${outcomeNames[value.outcome]}${value.outcome === "draw" ? "" : ` ${value.plies}`}` : percent(candidate.winrate));
    text(visits as Element, `${short(candidate.visits)} · ${percent(candidate.share)}`);
    text(prior as Element, percent(candidate.prior));
    text(line as Element, candidate.pv.slice(1, 7).join(" "));
    set(row.querySelector("button") as Element, "aria-pressed", this.pinned === candidate.move ? "true" : "false");
  }

  // point shows the candidate's variation on the board, and that of the pinned one, if there is any, for "".
  private point(move: string): void {
    const shown = move || this.pinned;
    const variation = this.session.analysis?.moves.find((m) => m.move === shown)?.pv ?? [];
    if (variation.join() !== this.ghost.join()) {
      this.ghost = variation;
      this.changed();
    }
  }
}

// moveAt returns the candidate in whose row the event happens.
function moveAt(event: Event): string {
  return event.target instanceof Element ? event.target.closest<HTMLElement>("[data-move]")?.dataset["move"] ?? "" : "";
}

const outcomeNames: Record<Outcome, string> = { win: "win", draw: "draw", loss: "loss" };

function exactText(exact: Exact, side: number): string {
  if (!exact.outcome || exact.outcome === "draw") {
    return "a draw with best play";
  }
  const winner = exact.outcome === "win" ? side : 1 - side;
  return `${colour(winner)} wins in ${exact.plies} ${exact.plies === 1 ? "ply" : "plies"}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function short(count: number): string {
  return count < 10_000 ? String(Math.round(count)) : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
}
