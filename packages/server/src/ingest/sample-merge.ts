import type { Sample, WriteCounts } from './sample.ts'
import { contentText, groupText, keyText } from './sample-rows.ts'
import type { SampleBatch } from './sample-writer.ts'

/** What is known of one key: stored already, or about to be. */
interface Version {
  content: string
  value: number
  version: number
  /** Index of the row in the insert, or -1 when it is in the store already. */
  row: number
}

/** How many tab-separated columns make the group and the key; then content, value, version. */
const KEY_COLUMNS = 9

function readStored(stored: string): Map<string, Version> {
  const versions = new Map<string, Version>()
  let start = 0
  while (start < stored.length) {
    const end = stored.indexOf('\n', start)
    const line = stored.slice(start, end === -1 ? stored.length : end)
    let split = -1
    for (let column = 0; column < KEY_COLUMNS; column++) split = line.indexOf('\t', split + 1)
    const lastTab = line.lastIndexOf('\t')
    const valueTab = line.lastIndexOf('\t', lastTab - 1)
    versions.set(line.slice(0, split), {
      content: line.slice(split + 1, valueTab),
      value: Number(line.slice(valueTab + 1, lastTab)),
      version: Number(line.slice(lastTab + 1)),
      row: -1,
    })
    start = end === -1 ? stored.length : end + 1
  }
  return versions
}

/** True when the candidate replaces what is there. Ties go by content, so order never matters. */
function replaces(candidate: Version, known: Version): boolean {
  if (candidate.version !== known.version) return candidate.version > known.version
  if (candidate.value !== known.value) return candidate.value > known.value
  return candidate.content > known.content
}

/**
 * Decides, sample by sample in order of arrival, what is new, what replaces an older version and
 * what changes nothing.
 * @param stored Stored samples of the ranges, as findStoredSamples returns them.
 * @param nextVersion Version of a sample whose source does not say when it was written.
 * @returns TabSeparated rows to insert, one a key, and the counts of each batch.
 */
export function mergeSamples(
  batches: readonly SampleBatch[],
  stored: string,
  nextVersion: () => number,
): { rows: string; counts: WriteCounts[] } {
  const versions = readStored(stored)
  const rows: string[] = []
  const counts = batches.map(({ owner, samples }) => {
    const count: WriteCounts = { inserted: 0, updated: 0, unchanged: 0 }
    const groups = new Map<string, string>()
    for (const sample of samples) {
      let group = groups.get(sample.series)
      if (group === undefined) {
        group = groupText(owner, sample.series)
        groups.set(sample.series, group)
      }
      const key = `${group}\t${keyText(owner, sample)}`
      const candidate = toVersion(sample, nextVersion)
      const isArrival = sample.modifiedAt === null
      count[place(versions, rows, key, candidate, isArrival)]++
    }
    return count
  })
  return { rows: rows.join(''), counts }
}

function toVersion(sample: Sample, nextVersion: () => number): Version {
  const version = sample.modifiedAt === null ? nextVersion() : sample.modifiedAt * 1000
  return { content: contentText(sample), value: sample.value, version, row: -1 }
}

function place(
  versions: Map<string, Version>,
  rows: string[],
  key: string,
  candidate: Version,
  isArrival: boolean,
): keyof WriteCounts {
  const known = versions.get(key)
  const isSame = known?.content === candidate.content && known.value === candidate.value
  if (known !== undefined) {
    // The same again is not written. One exception keeps the outcome free of the order of arrival:
    // a source's own later time of writing must be kept, or a version between could still win.
    const adds = isSame
      ? !isArrival && candidate.version > known.version
      : replaces(candidate, known)
    if (!adds) return 'unchanged'
  }
  const row = `${key}\t${candidate.content}\t${candidate.value}\t${candidate.version}\n`
  // A key twice in one insert keeps its place, so the part holds one row of it.
  candidate.row = known !== undefined && known.row !== -1 ? known.row : rows.length
  rows[candidate.row] = row
  versions.set(key, candidate)
  if (known === undefined) return 'inserted'
  return isSame ? 'unchanged' : 'updated'
}
