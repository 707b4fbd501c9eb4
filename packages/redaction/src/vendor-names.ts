/** Services whose keys have no form of their own: a name that ends with one, or with one and `key`, is secret. */
export const VENDOR_NAMES: ReadonlySet<string> = new Set(
  (
    "openai anthropic cohere mistral gemini groq deepseek together replicate huggingface pinecone weaviate " +
    "qdrant elevenlabs deepgram assemblyai tavily serpapi serper firecrawl langsmith datadog newrelic okta " +
    "snyk fastly heroku cloudflare sourcegraph sendgrid mailgun mailchimp twilio stripe algolia rapidapi " +
    "codecov travis meraki sumologic zendesk segment amplitude mixpanel coinbase binance kraken bitfinex " +
    "bittrex finnhub etherscan infura alchemy openweather openweathermap giphy giantbomb wandb browserstack saucelabs " +
    "lokalise pagerduty opsgenie contentful dropbox asana trello typeform discord telegram messagebird sendinblue " +
    "nytimes squarespace freshbooks bitbucket etsy yandex lob looker snowflake databricks"
  ).split(" "),
);
