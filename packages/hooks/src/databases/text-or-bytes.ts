export { textOrBytes } from "@reenact/capture/hook";
