import type { NpiRegistry } from '@salus/contracts/lab-partners'
import { isNpi } from '@salus/kernel/check-digits'
import type { Log } from '@salus/kernel/log'
import type { Db } from '@salus/kernel/postgres/database'
import { callLabPartner } from '../../gateways/index.ts'
import type { Catalog } from './catalog-format.schema.ts'
import { invalidCatalog } from './catalog-loading.service.ts'
import { CatalogProblems } from './catalog-problems.ts'
import { listNetworkPhysicians } from './network-physicians.global.repository.ts'
import { readCatalog } from './read-catalog.ts'

/** The public registry allows no more; a whole network of some hundred takes a minute. */
const AT_ONCE = 4

type Physician = NonNullable<Catalog['network_physicians']>[number]

const keyOf = ({ npi, last_name: name }: Pick<Physician, 'npi' | 'last_name'>) => `${npi} ${name}`

/**
 * Looks up the physicians of a catalog who are new in the registry of NPIs: the number must be
 * issued to an active person of that last name. Does nothing without a registry, and for a document
 * that cannot be read or an NPI with a wrong check digit, which the load refuses.
 * @throws AppError 400 `catalog_invalid` with all problems; 502 `partner_unavailable`
 */
export async function checkPhysiciansByRegistry(
  { db, log }: { db: Db; log: Log },
  registry: NpiRegistry | undefined,
  input: unknown,
): Promise<void> {
  if (registry === undefined) return
  const physicians = readCatalog(input).catalog?.network_physicians ?? []
  if (physicians.length === 0) return
  const known = new Set((await listNetworkPhysicians(db)).map(keyOf))
  const waiting = [...physicians.entries()].filter(
    ([, physician]) => isNpi(physician.npi) && !known.has(keyOf(physician)),
  )
  const problems = new CatalogProblems()
  for (let first = 0; first < waiting.length; first += AT_ONCE) {
    const next = waiting.slice(first, first + AT_ONCE)
    const found = await callLabPartner(log, () =>
      Promise.all(next.map(([, physician]) => findProblem(registry, physician))),
    )
    for (const [index, problem] of found.entries()) {
      if (problem === undefined) continue
      problems.add(`network_physicians[${next[index]?.[0]}].${problem.field}`, problem.message)
    }
  }
  if (problems.count > 0) throw invalidCatalog(problems)
}

async function findProblem(
  registry: NpiRegistry,
  { npi, last_name: lastName }: Physician,
): Promise<{ field: 'npi' | 'last_name'; message: string } | undefined> {
  const found = await registry.find(npi)
  if (found === undefined) return { field: 'npi', message: 'The registry has no such NPI.' }
  if (found.kind !== 'individual') {
    return { field: 'npi', message: 'The NPI is that of an organization.' }
  }
  if (!found.isActive) return { field: 'npi', message: 'The NPI was deactivated.' }
  const names = [found.lastName ?? '', ...found.otherLastNames].map(lettersOf)
  if (names.includes(lettersOf(lastName))) return undefined
  return { field: 'last_name', message: 'The registry has another last name for the NPI.' }
}

/** Returns the letters of a name in lower case, without accents. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
