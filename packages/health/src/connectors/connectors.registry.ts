import type { OutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { ABBOTT_LIBREVIEW } from './abbott_libreview/libreview.connector.ts'
import { BEURER_API } from './beurer_api/beurer.connector.ts'
import type { Connector } from './connector.ts'
import type { Connectors } from './connectors.ts'
import { DEXCOM_SHARE } from './dexcom/dexcom-share.connector.ts'
import { DEXCOM_V3 } from './dexcom_v3/dexcom.connector.ts'
import { EIGHT_SLEEP } from './eight_sleep/eight-sleep.connector.ts'
import { FITBIT } from './fitbit/fitbit.connector.ts'
import { FREESTYLE_LIBRE } from './freestyle_libre/freestyle-libre.connector.ts'
import { GARMIN } from './garmin/garmin.connector.ts'
import { GOOGLE_HEALTH } from './google_health/google-health.connector.ts'
import { HAMMERHEAD } from './hammerhead/hammerhead.connector.ts'
import { IHEALTH } from './ihealth/ihealth.connector.ts'
import { KARDIA } from './kardia/kardia.connector.ts'
import { MY_FITNESS_PAL } from './my_fitness_pal/my-fitness-pal.connector.ts'
import { OURA } from './oura/oura.connector.ts'
import { PELOTON } from './peloton/peloton.connector.ts'
import { POLAR } from './polar/polar.connector.ts'
import { regionHosts } from './regions.ts'
import { RENPHO } from './renpho/renpho.connector.ts'
import { STRAVA } from './strava/strava.connector.ts'
import { SUUNTO } from './suunto/suunto.connector.ts'
import { TANDEM_SOURCE } from './tandem_source/tandem.connector.ts'
import { ULTRAHUMAN } from './ultrahuman/ultrahuman.connector.ts'
import { createSend } from './vendor-client.ts'
import { WAHOO } from './wahoo/wahoo.connector.ts'
import { WHOOP_LEGACY } from './whoop/whoop-legacy.connector.ts'
import { WHOOP } from './whoop_v2/whoop.connector.ts'
import { WITHINGS } from './withings/withings.connector.ts'
import { ZWIFT } from './zwift/zwift.connector.ts'

/** All connectors: one folder and one row each. */
export const CONNECTORS: readonly Connector[] = [
  ABBOTT_LIBREVIEW,
  DEXCOM_V3,
  EIGHT_SLEEP,
  FITBIT,
  FREESTYLE_LIBRE,
  OURA,
  POLAR,
  SUUNTO,
  ULTRAHUMAN,
  IHEALTH,
  WITHINGS,
  STRAVA,
  WHOOP,
  GARMIN,
  WAHOO,
  GOOGLE_HEALTH,
  HAMMERHEAD,
  DEXCOM_SHARE,
  PELOTON,
  TANDEM_SOURCE,
  ZWIFT,
  BEURER_API,
  KARDIA,
  MY_FITNESS_PAL,
  RENPHO,
  WHOOP_LEGACY,
]

export interface ConnectorsOptions {
  /** Agent for requests to vendors. */
  agent: OutboundAgent
  /** Agent for requests to the emulated vendors of sandboxes, on this machine. */
  sandboxAgent: OutboundAgent
  /**
   * Returns the address at which this process reaches the emulated vendors, without a trailing
   * slash.
   */
  sandboxUrl: () => string
}

/** Path of an emulated vendor's hosts below the address of a deployment. */
const SANDBOX_PATH = '/sandbox/providers'

/** Creates the connectors. Only this function knows that sandboxes use the emulated vendors. */
export function createConnectors({
  agent,
  sandboxAgent,
  sandboxUrl,
}: ConnectorsOptions): Connectors {
  const bySlug = new Map(CONNECTORS.map((connector) => [connector.slug, connector]))
  return {
    all: CONNECTORS,
    find: (slug) => bySlug.get(slug),
    addressOf(connector, { kind }, region) {
      const { slug } = connector
      if (kind === 'production') return { slug, hosts: hostsOf(connector, region), agent }
      return { slug, hosts: emulatedHosts(connector, sandboxUrl()), agent: sandboxAgent }
    },
    async enterPushAddress({ slug }, { kind }, { clientId, clientSecret }, callbackUrl) {
      if (kind === 'production') return
      const console = `${sandboxUrl()}${SANDBOX_PATH}/${slug}/console`
      const send = createSend({ slug, hosts: { console }, agent: sandboxAgent })
      await send({
        method: 'PUT',
        host: 'console',
        path: '/push_address',
        json: { client_id: clientId, client_secret: clientSecret, callback_url: callbackUrl },
      })
    },
    publicHostsOf: (connector, { kind }, baseUrl, region) =>
      kind === 'production' ? hostsOf(connector, region) : emulatedHosts(connector, baseUrl),
  }
}

function hostsOf({ hosts, auth }: Connector, region = ''): Readonly<Record<string, string>> {
  return { ...hosts, ...regionHosts(auth, region) }
}

/** An emulated vendor has one service for all regions. */
function emulatedHosts({ slug, hosts }: Connector, url: string): Record<string, string> {
  const names = Object.keys(hosts)
  return Object.fromEntries(names.map((name) => [name, `${url}${SANDBOX_PATH}/${slug}/${name}`]))
}
