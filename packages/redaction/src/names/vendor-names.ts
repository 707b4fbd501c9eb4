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

/** More of them: the name alone is that of many other things there, so only one with `key` behind it is secret. */
export const KEY_VENDORS: ReadonlySet<string> = new Set(
  (
    "abuseipdb accuweather adafruit adzuna airbrake airtable airvisual aiven alegra alienvault amadeus ambee " +
    "anypoint apacta apideck apiflash apifonica apify apilayer apimatic apimetrics appcues appfollow apptivo " +
    "artifactory artsy atera atlassian auth0 autodesk autoklose aviationstack axonaut aylien ayrshare bannerbear " +
    "baremetrics beebole besnappy betterstack billomat bitbar bitly bitmex blazemeter blocknative bombbomb " +
    "boostnote borgbase braintree braintrust brandfetch browshot buddyns budibase bugherd bugsnag buildkite bulksms " +
    "buttercms calendly campayn captaindata cexio chartmogul checkly clarifai clearbit clickhelp clicksend clickup " +
    "clinchpad clockify clockworksms cloudconvert cloudimage cloudinary cloudmersive cloudsmith cloverly cloze " +
    "codacy codeclimate codemagic codequiry coinapi coinlayer coinlib commercejs confluent convertapi convertkit " +
    "convier couchbase countrylayer coveralls craftmypdf crowdin cryptocompare currencyfreaks currencylayer " +
    "currencyscoop currentsapi customerio dareboost databox deepai demio detectify detectlanguage diffbot " +
    "digitalocean disqus dockerhub docparser docusign doppler dotdigital dwolla edamam elasticemail endorlabs " +
    "ethplorer eventbrite everhour exchangerate fastforex figma fileio finage fixerio flickr flightapi flightstats " +
    "flutterwave foursquare freshdesk fullstory geckoboard geoapify geocodify getresponse gitter glassnode " +
    "gocardless godaddy grafana graphcms graphhopper gtmetrix gumroad gyazo happyscribe hasura hellosign helpscout " +
    "honeycomb hubspot iconfinder iexcloud imagekit imagga insightly instamojo intercom intrinio ipapi ipdata " +
    "ipgeolocation ipinfo ipstack jotform jumpcloud jupiterone kickbox klaviyo klipfolio kontent kucoin langfuse " +
    "languagelayer larksuite launchdarkly leadfeeder lemlist lendflow liveagent livestorm locationiq loggly " +
    "loginradius logzio lunchmoney mailboxlayer mailerlite mailjet mailmodo mailsac mandrill mapbox mapquest " +
    "marketstack mattermost mavenlink maxmind mediastack meistertask mesibo metabase miro mockaroo moralis nasdaq " +
    "netlify newsapi newscatcher nexmo nftport ngrok notion nugetapi numverify nutritionix nylas oanda onelogin " +
    "onesignal onfleet opencage opencagedata openrouter openuv owlbot packagecloud pandadoc paypal paystack " +
    "pdflayer pdfshift perplexity pinata pipedrive pivotaltracker pixabay plaid planetscale plivo poloniex " +
    "portainer positionstack posthog postman postmark pubnub pulumi pushbullet pusher qualaroo qubole razorpay " +
    "rebrandly ringcentral rocketreach rollbar scaleway scrapeowl scraperapi scrapestack scrapfly scrapingant " +
    "scrapingbee screenshotapi securitytrails sendbird serphouse serpstack shodan shopify shutterstock sightengine " +
    "signalwire smartsheet snipcart sonarcloud sonarqube sparkpost spoonacular statuspage stormglass storyblok " +
    "stytch supabase surveysparrow swiftype tableau tailscale taxjar telnyx thousandeyes ticketmaster tiingo " +
    "todoist tomtom transferwise travelpayouts travisci trufflehog twelvedata twitch typetalk ubidots unsplash " +
    "uplead uploadcare uptimerobot urlscan userstack vatlayer vercel virustotal visualcrossing voiceflow vultr " +
    "walkscore weatherapi weatherbit weatherstack webex webflow wepay wistia worldweather wrike xai yelp yousign " +
    "zapier zenrows zenscrape zenserp zeplin zerobounce zerotier zipcodeapi zoho zulip"
  ).split(" "),
);
