import { serve } from "../../examples/scripted-provider/serve.ts";
import { behave } from "./behaviours.ts";

await serve(behave);
