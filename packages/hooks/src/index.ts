export { HOOKS } from "./registry.ts";
export { lambdaPlace } from "./jobs/aws-lambda/hook.ts";
export { awslambda, isStreaming, lambdaStream } from "./jobs/aws-lambda/response-stream.ts";
