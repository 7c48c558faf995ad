import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/**
 * Terms by which a user would be found: each term is one text, or several that occur together in
 * one row, because one alone, such as a family name, is common to many people.
 */
export type SearchTerm = readonly string[]

export interface SearchTerms {
  /** Ids of the user and of their objects. */
  ids: readonly string[]
  words: readonly SearchTerm[]
  /** Accounts of the user at providers. */
  vendorAccounts: readonly string[]
}

/** Returns the terms, ids as words of their own. */
export const allTerms = ({ ids, words }: SearchTerms): SearchTerm[] => [
  ...ids.map((id) => [id]),
  ...words,
]

/** Tables whose ids other tables and jobs contain. */
const TABLES_WITH_IDS = [
  'orders',
  'appointments',
  'lab_report_jobs',
  'import_jobs',
  'import_uploads',
  'import_addresses',
  'person_exports',
  'insurance_policies',
  'devices',
  'connections',
  'link_sessions',
  'mobile_sessions',
  'portal_sessions',
  'portal_shares',
]

/** A shorter word would also be found in unrelated data. */
const LEAST_LETTERS = 6

/** Fields in which demographics, orders and policies name people. */
interface NamedPerson {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone_number?: string | null
  dob?: string | null
  address?: { first_line?: string | null } | null
  member_id?: string | null
}

/** Returns the search terms of a user, which are read while their rows exist. */
export async function findSearchTerms(
  { db, environment }: RowScope,
  userId: string,
): Promise<SearchTerms> {
  const theirs = sql`environment_id = ${environment.id} and user_id = ${userId}`
  const tables = TABLES_WITH_IDS.map(
    (name) => sql`select id::text from ${sql.table(name)}
    where ${theirs}`,
  )
  const { rows: owned } = await sql<{ id: string }>`${sql.join(tables, sql` union all `)}
    union all select transaction_id::text from orders where ${theirs}`.execute(db)
  const { rows: people } = await sql<{ person: NamedPerson }>`
    select info as person from user_demographics where ${theirs}
    union all select patient_details || jsonb_build_object('address', patient_address)
      from orders where ${theirs} and patient_details is not null
    union all select insured || jsonb_build_object('member_id', member_id)
      from insurance_policies where ${theirs}`.execute(db)
  const { rows: accounts } = await sql<{ account: string }>`
    select external_user_id as account from connections
    where ${theirs} and external_user_id is not null`.execute(db)
  const { rows: users } = await sql<{ client_user_id: string }>`select client_user_id from users
    where environment_id = ${environment.id} and id = ${userId}`.execute(db)
  const vendorAccounts = accounts.map(({ account }) => account).filter(isTelling)
  const emails = people.flatMap(({ person }) => person.email ?? [])
  const words: SearchTerm[] = [
    ...users.map(({ client_user_id }) => client_user_id).filter(isTelling),
    ...vendorAccounts,
  ].map((word) => [word])
  for (const { person } of people) words.push(...termsOf(person))
  return {
    ids: [...new Set([userId, ...owned.map(({ id }) => id)])],
    words: [...new Map(words.map((term) => [JSON.stringify(term), term])).values()],
    vendorAccounts: [...new Set([...vendorAccounts, ...emails])],
  }
}

const isTelling = (word: string): boolean => word.length >= LEAST_LETTERS

function termsOf(person: NamedPerson): SearchTerm[] {
  const { first_name: first, last_name: last, dob, address } = person
  const alone = [person.email, person.phone_number, person.member_id].filter(
    (word) => typeof word === 'string' && isTelling(word),
  )
  const beside = last ? [first, dob, address?.first_line].filter((word) => !!word) : []
  return [
    ...alone.map((word): SearchTerm => [String(word)]),
    ...beside.map((word): SearchTerm => [String(word), String(last)]),
  ]
}
