// Changing who plays in the running game: a part of the settings.

import { api } from "./api.ts";
import { option } from "./dialog.ts";
import { h, replace, text } from "./dom.ts";
import { sign } from "./icons.ts";
import { colour, type Session } from "./session.ts";

export function seatsDialogPart(session: Session): HTMLElement | null {
  const { state, info, owner } = session;
  if (!state || !info || !owner) {
    return null;
  }
  const problem = h("p", { class: "problem", role: "alert" });
  const seats = ([0, 1] as const).map((side) => h("select", { id: `seat${side}`, onchange: () => void change() }));
  const change = async (): Promise<void> => {
    session.notice = "";
    const done = await session.act("players", { players: seats.map((seat) => seat.value), go: true });
    text(problem, done ? "" : session.notice);
  };
  void api.levels(state.setup.board, state.setup.walls).then(
    ({ levels }) => {
      seats.forEach((seat, side) => {
        const now = state.setup.players[side as 0 | 1];
        const known = ["person", ...levels.map((l) => l.spec), ...info.players.map((p) => p.spec)].includes(now.spec);
        replace(
          seat,
          option("person", "person"),
          ...levels.map((l) => option(l.spec, `${l.name} (${l.rating === null ? "unrated" : Math.round(l.rating)})`)),
          ...info.players.map((p) => option(p.spec, p.name)),
          known ? null : option(now.spec, now.name),
        );
        seat.value = now.spec;
      });
    },
    (error: unknown) => text(problem, error instanceof Error ? error.message : String(error)),
  );
  return h("section", {}, h("h3", {}, "Who plays from here on"), ...seats.map((seat, side) => h("label", { class: "field" }, h("span", { class: "field-name" }, sign(side), ` ${colour(side)}`), seat)), problem);
}
