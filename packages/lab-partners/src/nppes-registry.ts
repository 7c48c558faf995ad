import {
  type NpiRegistry,
  PartnerFailure,
  type RegisteredProvider,
} from '@salus/contracts/lab-partners'
import { callPartner, type Send } from './partner-http.ts'
import { type JsonRecord, recordsOf, textOf, toRecord } from './partner-json.ts'
import type { NppesSettings } from './partner-settings.ts'

const VERSION = '2.1'

/**
 * Creates the client of the public registry of NPIs
 * (https://npiregistry.cms.hhs.gov/api-page, version 2.1), which needs no key. It answers
 * malformed numbers with `Errors` and status 200.
 */
export function createNppesRegistry({ url }: NppesSettings, send: Send): NpiRegistry {
  return {
    async find(npi, signal) {
      const address = new URL(`${url}/`)
      address.searchParams.set('version', VERSION)
      address.searchParams.set('number', npi)
      const request = { method: 'GET', url: address.href, signal } as const
      const { status, body } = await callPartner('nppes', send, request)
      if (status !== 200) throw new PartnerFailure('nppes', 'refused')
      const answer = toRecord(body)
      if (!Array.isArray(answer.results)) {
        throw new PartnerFailure('nppes', Array.isArray(answer.Errors) ? 'refused' : 'malformed')
      }
      const found = recordsOf(answer, 'results').find((result) => textOf(result, 'number') === npi)
      return found && toProvider(npi, found)
    },
  }
}

function toProvider(npi: string, result: JsonRecord): RegisteredProvider {
  const basic = toRecord(result.basic)
  const isPerson = textOf(result, 'enumeration_type') === 'NPI-1'
  return {
    npi,
    kind: isPerson ? 'individual' : 'organization',
    isActive: textOf(basic, 'status') === 'A',
    firstName: isPerson ? textOf(basic, 'first_name') : null,
    lastName: isPerson ? textOf(basic, 'last_name') : null,
    otherLastNames: recordsOf(result, 'other_names').flatMap(
      (name) => textOf(name, 'last_name') ?? [],
    ),
    organizationName: isPerson ? null : textOf(basic, 'organization_name'),
    credential: textOf(basic, 'credential'),
    taxonomies: recordsOf(result, 'taxonomies').map((taxonomy) => ({
      code: textOf(taxonomy, 'code') ?? '',
      description: textOf(taxonomy, 'desc'),
      isPrimary: taxonomy.primary === true,
      state: textOf(taxonomy, 'state'),
      license: textOf(taxonomy, 'license'),
    })),
  }
}
