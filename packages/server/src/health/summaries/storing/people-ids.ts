import type { SampleOwner } from '../../ingest/index.ts'
import type { PeopleIds } from './stored-summaries.repository.ts'

/** Whose rows are looked up. */
export function peopleOf(owned: readonly { owner: SampleOwner }[]): PeopleIds {
  return {
    environmentIds: new Set(owned.map(({ owner }) => owner.environmentId)),
    userIds: new Set(owned.map(({ owner }) => owner.userId)),
  }
}
