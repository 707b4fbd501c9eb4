/** How a provider's key looks. `length` counts the characters after the prefix. Reviewed as data. */
export interface KeyFormat {
  readonly name: string;
  readonly prefix: string;
  readonly length: readonly [min: number, max: number];
  readonly alphabet: "base62" | "base64url" | "dotted" | "hex" | "base32" | "base64";
  /** offset in `prefix`, 1 or more, of the character that the scan stops at: one that is rare in prose */
  readonly anchor: number;
  /** a key of these bodies is a documented sample */
  readonly sample?: RegExp;
}

export const PROVIDER_KEYS: readonly KeyFormat[] = [
  { name: "Anthropic", prefix: "sk-ant-", length: [80, 160], alphabet: "base64url", anchor: 2 },
  { name: "OpenAI, project", prefix: "sk-proj-", length: [40, 240], alphabet: "base64url", anchor: 2 },
  { name: "OpenAI, service account", prefix: "sk-svcacct-", length: [40, 240], alphabet: "base64url", anchor: 2 },
  { name: "OpenAI, admin", prefix: "sk-admin-", length: [40, 240], alphabet: "base64url", anchor: 2 },
  { name: "OpenRouter", prefix: "sk-or-v1-", length: [48, 80], alphabet: "hex", anchor: 2 },
  { name: "OpenAI and compatible", prefix: "sk-", length: [20, 240], alphabet: "base64url", anchor: 2 },
  { name: "OpenAI, ephemeral", prefix: "ek_", length: [32, 64], alphabet: "hex", anchor: 2 },
  { name: "Google", prefix: "AIza", length: [35, 35], alphabet: "base64url", anchor: 2 },
  { name: "Google OAuth secret", prefix: "GOCSPX-", length: [28, 28], alphabet: "base64url", anchor: 6 },
  { name: "AWS access key id", prefix: "AKIA", length: [16, 16], alphabet: "base32", anchor: 1, sample: /EXAMPLE$/ },
  { name: "AWS temporary key id", prefix: "ASIA", length: [16, 16], alphabet: "base32", anchor: 1, sample: /EXAMPLE$/ },
  { name: "AWS Bedrock", prefix: "ABSK", length: [109, 269], alphabet: "base64", anchor: 3 },
  { name: "GitHub, classic", prefix: "ghp_", length: [36, 36], alphabet: "base62", anchor: 3 },
  { name: "GitHub, OAuth", prefix: "gho_", length: [36, 36], alphabet: "base62", anchor: 3 },
  { name: "GitHub, user to server", prefix: "ghu_", length: [36, 36], alphabet: "base62", anchor: 3 },
  { name: "GitHub, server to server", prefix: "ghs_", length: [36, 36], alphabet: "base62", anchor: 3 },
  { name: "GitHub, refresh", prefix: "ghr_", length: [36, 76], alphabet: "base62", anchor: 3 },
  { name: "GitHub, fine-grained", prefix: "github_pat_", length: [82, 82], alphabet: "base64url", anchor: 6 },
  { name: "GitLab", prefix: "glpat-", length: [20, 300], alphabet: "dotted", anchor: 5 },
  { name: "Slack, bot", prefix: "xoxb-", length: [24, 120], alphabet: "base64url", anchor: 4 },
  { name: "Slack, user", prefix: "xoxp-", length: [24, 160], alphabet: "base64url", anchor: 4 },
  { name: "Slack, app level", prefix: "xapp-", length: [24, 160], alphabet: "base64url", anchor: 4 },
  { name: "Slack, configuration", prefix: "xoxe.xoxp-", length: [40, 260], alphabet: "base64url", anchor: 9 },
  { name: "Slack, refresh", prefix: "xoxe-", length: [40, 260], alphabet: "base64url", anchor: 4 },
  { name: "Slack, legacy", prefix: "xoxa-", length: [24, 160], alphabet: "base64url", anchor: 4 },
  { name: "Slack, session", prefix: "xoxs-", length: [24, 160], alphabet: "base64url", anchor: 4 },
  { name: "Stripe, secret", prefix: "sk_live_", length: [24, 120], alphabet: "base62", anchor: 2 },
  { name: "Stripe, restricted", prefix: "rk_live_", length: [24, 120], alphabet: "base62", anchor: 2 },
  { name: "Stripe, secret of the sandbox", prefix: "sk_test_", length: [24, 120], alphabet: "base62", anchor: 2 },
  { name: "Stripe, webhook", prefix: "whsec_", length: [32, 64], alphabet: "base64", anchor: 5 },
  { name: "Hugging Face", prefix: "hf_", length: [34, 40], alphabet: "base62", anchor: 2 },
  { name: "Groq", prefix: "gsk_", length: [48, 60], alphabet: "base62", anchor: 3 },
  { name: "xAI", prefix: "xai-", length: [60, 100], alphabet: "base62", anchor: 3 },
  { name: "Perplexity", prefix: "pplx-", length: [40, 64], alphabet: "base62", anchor: 4 },
  { name: "Replicate", prefix: "r8_", length: [37, 40], alphabet: "base62", anchor: 2 },
  { name: "Fireworks", prefix: "fw_", length: [22, 40], alphabet: "base62", anchor: 2 },
  { name: "LangSmith", prefix: "lsv2_", length: [40, 60], alphabet: "base64url", anchor: 4 },
  { name: "Tavily", prefix: "tvly-", length: [24, 60], alphabet: "base64url", anchor: 4 },
  { name: "Pinecone", prefix: "pcsk_", length: [60, 80], alphabet: "base64url", anchor: 4 },
  { name: "npm", prefix: "npm_", length: [36, 36], alphabet: "base62", anchor: 3 },
  { name: "PyPI", prefix: "pypi-AgE", length: [50, 240], alphabet: "base64url", anchor: 4 },
  { name: "SendGrid", prefix: "SG.", length: [66, 68], alphabet: "dotted", anchor: 1 },
  { name: "Twilio API key", prefix: "SK", length: [32, 32], alphabet: "hex", anchor: 1 },
  { name: "Notion", prefix: "ntn_", length: [46, 46], alphabet: "base62", anchor: 3 },
  { name: "Linear", prefix: "lin_api_", length: [40, 40], alphabet: "base62", anchor: 3 },
  { name: "DigitalOcean", prefix: "dop_v1_", length: [64, 64], alphabet: "hex", anchor: 3 },
  { name: "Shopify", prefix: "shpat_", length: [32, 32], alphabet: "hex", anchor: 5 },
  { name: "Grafana", prefix: "glsa_", length: [41, 41], alphabet: "base64url", anchor: 4 },
  { name: "Sourcegraph", prefix: "sgp_", length: [40, 57], alphabet: "base64url", anchor: 3 },
  { name: "Figma", prefix: "figd_", length: [38, 60], alphabet: "base64url", anchor: 4 },
  { name: "1Password service account", prefix: "ops_eyJ", length: [250, 1200], alphabet: "base64", anchor: 3 },
];
