interface Times {
  p50: number;
  p99: number;
  slowest: number;
  stretch: number;
}

export function readDelay(options?: {
  rounds?: number;
  seconds?: number;
  megabytes?: number;
  spans?: number;
}): Promise<{ reads: string; quiet: Times; reading: Times; count: number }[]>;
