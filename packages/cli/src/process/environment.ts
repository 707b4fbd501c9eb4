/** The only place where the command looks at the environment. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}
