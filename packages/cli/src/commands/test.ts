import { Command } from "commander";
import { testAccept } from "./test-accept.ts";
import { testAdd } from "./test-add.ts";
import { testRun } from "./test-run.ts";

export function testCommand(command: string[] | null): Command {
  return new Command("test")
    .description("recorded runs as tests: add one, run them offline, accept a new outcome")
    .addCommand(testRun(), { isDefault: true })
    .addCommand(testAdd(command))
    .addCommand(testAccept());
}
