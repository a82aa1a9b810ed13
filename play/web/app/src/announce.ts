// What a screen reader hears: each move, whose turn, the result, changes of the connection; and a summary of the board to read at any time.

import { h, text } from "./dom.ts";
import { colour, type Session } from "./session.ts";
import type { GameState, View } from "./api.ts";

export class Announcer {
  readonly live = h("div", { class: "sr-only", id: "announce", role: "status", "aria-live": "polite" });
  readonly cursor = h("div", { class: "sr-only", id: "cursor-words", "aria-live": "polite" });
  readonly summary = h("div", { class: "sr-only", id: "board-summary" });
  private last: GameState | null = null;
  private view: View | null = null;
  private link = "";

  constructor(private readonly session: Session) {}

  speak(words: string): void {
    text(this.cursor, words);
  }

  update(): void {
    const { state, view, link } = this.session;
    if (!state || !view) {
      return;
    }
    const words = [this.linkNews(link), this.news(state, view)].filter((w) => w !== "").join(" ");
    if (words) {
      text(this.live, words);
    }
    text(this.summary, summary(view));
    this.last = state;
    this.view = view;
    this.link = link;
  }

  private linkNews(link: string): string {
    if (link === this.link) {
      return "";
    }
    return link === "lost" ? "The connection to the server is lost." : link === "live" && this.link === "lost" ? "The server is back; the game goes on." : "";
  }

  // news compares with the last state, since intermediate states may have been skipped.
  private news(state: GameState, view: View): string {
    const { last } = this;
    if (!last || last.id !== state.id) {
      return `${last ? "New game. " : ""}${turn(this.session, view)}`;
    }
    if (state.head !== last.head) {
      const nodes = new Map(state.nodes.map((n) => [n.id, n]));
      const made: string[] = [];
      let at = nodes.get(state.head);
      for (; at && at.id !== last.head && at.move; at = nodes.get(at.parent)) {
        made.unshift(`${colour(at.side ?? 0)} ${spell(at.move)}.`);
      }
      const moves = at?.id === last.head ? made.join(" ") : "Moves were taken back.";
      return `${moves} ${turn(this.session, view)}`.trim();
    }
    if (JSON.stringify(state.result) !== JSON.stringify(last.result) && state.result) {
      return resultText(state);
    }
    if (view.node !== this.view?.node) {
      const node = state.nodes.find((n) => n.id === view.node);
      return node?.move ? `Shown: move ${view.ply}, ${colour(node.side ?? 0)} ${spell(node.move)}.` : "Shown: the start.";
    }
    return "";
  }
}

function turn(session: Session, view: View): string {
  const { state } = session;
  if (!state) {
    return "";
  }
  if (state.result) {
    return resultText(state);
  }
  return state.turn.engine ? "" : session.playing ? "Your turn." : `${colour(view.side)} to move.`;
}

export function resultText(state: GameState): string {
  const result = state.result;
  if (!result) {
    return "";
  }
  if (result.winner < 0) {
    return result.reason === "repetition" ? "A draw: the same position for the third time." : "A draw: the longest game allowed is over.";
  }
  const winner = colour(result.winner);
  const loser = colour(1 - result.winner);
  const reasons: Record<string, string> = { goal: `${winner} wins: the goal row is reached.`, resignation: `${winner} wins: ${loser} resigned.`, time: `${winner} wins: ${loser} ran out of time.` };
  return reasons[result.reason] ?? `${winner} wins.`;
}

// spell says a move in words: a wall's name alone is easily misheard.
function spell(move: string): string {
  const kind = move.at(-1);
  return kind === "h" || kind === "v" ? `${kind === "h" ? "horizontal" : "vertical"} wall ${move.slice(0, -1)}` : `to ${move}`;
}

function summary(view: View): string {
  const walls = view.walls.length > 0 ? `Walls: ${view.walls.join(", ")}.` : "No walls.";
  const seat = (side: 0 | 1): string => `${colour(side)} on ${view.pawns[side]}, ${view.lengths[side]} steps to go, ${view.left[side]} walls left.`;
  return `${seat(0)} ${seat(1)} ${walls} ${colour(view.side)} to move. Arrow keys move the cursor, H and V aim a wall, Enter plays.`;
}
