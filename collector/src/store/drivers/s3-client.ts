import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

export interface S3Options {
  readonly bucket: string;
  /** before every key, ends with `/`; empty: none */
  readonly prefix?: string;
  /** absent: AWS itself */
  readonly endpoint?: string;
  readonly region?: string;
  readonly pathStyle?: boolean;
  /** absent: the SDK's own chain (environment, files, instance) */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** bodies above this go in parts of this size; 5 MiB to 5 GiB, default 16 MiB */
  readonly partBytes?: number;
  /** of one request, milliseconds, default 60,000 */
  readonly timeoutMs?: number;
  /** of one request, default 4 */
  readonly attempts?: number;
}

export function createS3Client(options: S3Options): S3Client {
  const config: S3ClientConfig = {
    region: [options.region, process.env["AWS_REGION"], process.env["AWS_DEFAULT_REGION"]].find(Boolean) ?? "us-east-1",
    maxAttempts: options.attempts ?? 4,
    forcePathStyle: options.pathStyle ?? false,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: options.timeoutMs ?? 60_000,
      throwOnRequestTimeout: true,
    },
    ...(options.credentials && { credentials: options.credentials }),
  };
  if (options.endpoint === undefined) return new S3Client(config);
  return new S3Client({
    ...config,
    endpoint: options.endpoint,
    // Servers other than AWS refuse, or mishandle, the checksums that the SDK would add of its own accord.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}
