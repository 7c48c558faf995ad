import type { LabPartners } from '@salus/contracts/lab-partners'
import { Secret } from '@salus/kernel/crypto/credential-store'
import type { Log } from '@salus/kernel/log'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { OutboundAnswer, request } from '@salus/kernel/outbound/request'
import type { Clock } from '@salus/kernel/time/clock'
import { createLabPartners, type PartnerSettings, type Send } from '@salus/lab-partners'
import { PartnerEmulator } from '@salus/sandbox/partners'
import type { Config } from './config.ts'

/** The emulated services that sandboxes use; appointments and parcels have simulators. */
const EMULATED: PartnerSettings = {
  nppes: { url: PartnerEmulator.urlOf('nppes') },
  stedi: {
    apiKey: new Secret('sandbox'),
    url: PartnerEmulator.urlOf('stedi'),
    organizationName: 'Sandbox',
    npi: '1234567893',
  },
}

/** Opens the services around an order: the configured ones, and the emulated ones of sandboxes. */
export function openLabPartners({
  config,
  clock,
  log,
}: {
  config: Config
  clock: Clock
  log: Log
}): LabPartners {
  const agent = createOutboundAgent({ allowPrivate: config.labPartnersAllowPrivate })
  const emulator = new PartnerEmulator({ clock })
  return createLabPartners({
    settings: config.labPartners,
    clock,
    onFailure: ({ partner, reason }) =>
      log.warn({ partner, reason }, 'a partner gave no usable answer'),
    send: (wanted) => request(agent, wanted),
    emulated: {
      settings: EMULATED,
      send: sendInProcess(emulator),
    },
  })
}

/** Sends requests to the emulator without a connection; its answers take no time. */
function sendInProcess(emulator: PartnerEmulator): Send {
  return async ({ method = 'GET', url, headers, body }) => {
    const { host, pathname, search } = new URL(url)
    const answer = await emulator.app.inject({
      method,
      url: `${pathname}${search}`,
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { payload: body }),
    })
    const entries = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return new OutboundAnswer(
      host,
      answer.statusCode,
      Object.fromEntries(entries),
      answer.rawPayload,
    )
  }
}
