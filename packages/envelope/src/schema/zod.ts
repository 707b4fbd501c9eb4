import { z } from "zod";
import { ownErrorClasses } from "../value/own-error-class.ts";

// This copy of zod is built into the package, and a program may have its own. The class of its errors is not `z.ZodError`.
ownErrorClasses([new z.ZodRealError([]).constructor]);

export { z };
