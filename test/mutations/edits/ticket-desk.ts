import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

const [FIRST, SECOND, THIRD] = [{ run: 0 }, { run: 1 }, { run: 2 }];

/** Each request is a run of `answer`: 1 look_up · 2 chat. */
export const ticketDesk: Suite = {
  program: "ticket-desk.cjs",
  edits: [
    ...edits(
      "other runs of the process",
      [
        "a session is forgotten",
        1,
        "changed",
        cut(
          `  sessions.set(who, [...history, { role: "user", content: question }, { role: "assistant", content: text }]);\n`,
        ),
        THIRD,
      ],
      ["a session holds questions only", 1, "changed", [`, { role: "assistant", content: text }]`, "]"], THIRD],
      [
        "one session for all",
        [1, 2],
        ["changed", "history"],
        ["sessions.get(who)", `sessions.get("all")`],
        ["sessions.set(who", `sessions.set("all"`],
        SECOND,
      ],
      ["a plan in capitals", 2, "system", ["`Plan: ${plan.plan}`", "`Plan: ${plan.plan.toUpperCase()}`"], FIRST],
      ["a count from nought", 1, "changed", ["history.length + 1", "history.length"], SECOND],
      [
        "no plan is looked up",
        1,
        "missing",
        ["await lookUp({ who, nth: history.length + 1 })", `{ plan: "basic" }`],
        FIRST,
      ],
      ["the answer's mark", null, "output-changed", [`createHash("sha1")`, `createHash("sha256")`], FIRST],
      [
        "a field of the answer more",
        null,
        "output-changed",
        ["letters: text.length > 0 }", "letters: text.length > 0, plan }"],
        FIRST,
      ],
      [
        "an answer that is thrown",
        [null, 2, 1],
        ["error", "output-changed"],
        ["  const mark =", `  if (who === "ida") throw new RangeError("later");\n  const mark =`],
        FIRST,
      ],
      [
        "the question of a header",
        [2, null],
        ["changed", "input-changed"],
        [
          "answer(request.params.who, question)",
          'answer(request.params.who, `${question} (${request.get("content-type")})`)',
        ],
        FIRST,
      ],
      [
        "another name of the person",
        [1, null],
        ["changed", "input-changed"],
        ["answer(request.params.who, question)", "answer(request.params.who.toUpperCase(), question)"],
        FIRST,
      ],
      [
        "history of two messages at most",
        2,
        ["history", "changed"],
        [
          '...history, { role: "user", content: question }],',
          '...history.slice(-1), { role: "user", content: question }],',
        ],
        THIRD,
      ],
      [
        "a model of its own for long histories",
        2,
        "params",
        [`model: "gpt-4.1-mini"`, `model: history.length > 0 ? "gpt-4.1" : "gpt-4.1-mini"`],
        THIRD,
      ],
      [
        "a request less",
        [null, 1],
        ["missing", "no-substance"],
        cut(`  console.log(await send("/ask/ida", { question: "And the one before?" }));\n`),
        THIRD,
      ],
      [
        "a guard before the agent",
        [null, 1],
        ["missing", "no-substance", "input-changed"],
        [
          "  if (!question)",
          `  if (request.params.who === "max") return response.sendStatus(403).end();\n  if (!question)`,
        ],
        SECOND,
      ],
    ),
  ],
  controls: controls(
    ["unchanged, second request", SECOND],
    ["unchanged, third request", THIRD],
    ["a middleware more", before("app.use(express.json());", "app.use((request, response, next) => next());\n"), FIRST],
    [
      "routes in a router",
      ["const app = express();", "const app = express();\nconst router = express.Router();\napp.use(router);"],
      THIRD,
    ],
    [
      "a session copied",
      ["const history = sessions.get(who) ?? [];", "const history = [...(sessions.get(who) ?? [])];"],
      THIRD,
    ],
    [
      "a handler of another form",
      [
        "return answer(request.params.who, question).then((said) => response.status(201).json(said));",
        "return Promise.resolve(answer(request.params.who, question)).then((said) => void response.status(201).json(said));",
      ],
      SECOND,
    ],
    [
      "compression of the server's answers is off",
      after("const app = express();\n", `app.disable("x-powered-by");\n`),
      SECOND,
    ],
  ),
};
