/** The tool of these programs. It says on standard error that it ran: a replay serves it. */
export async function refund({ order, cents }) {
  process.stderr.write("ran\n");
  return `paid ${cents} for ${order}, receipt ${process.hrtime.bigint()}`;
}
