/** What a row of a report needs to be judged by. */
interface NamedRow {
  key: string
  read: { loinc_match_status: string | null } | null
  changes: { test_name?: string | null | undefined }
  isRemoved: boolean
}

/**
 * Keys of rows whose name no catalog knows, as it is with one that was misread, such as `HbAlc`, until a person
 * has written it anew.
 */
export const findUnknownNames = (rows: readonly NamedRow[]): string[] =>
  rows
    .filter(
      ({ read, changes, isRemoved }) =>
        read?.loinc_match_status === 'no_match' && changes.test_name === undefined && !isRemoved,
    )
    .map(({ key }) => key)
