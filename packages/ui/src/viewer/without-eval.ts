import { config } from "zod";

// schemas that are made from now on are not compiled, which the content security policy forbids and would report
config({ jitless: true });
