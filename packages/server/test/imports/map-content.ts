import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PayloadLine } from '../../../health/src/connectors/payload-lines.ts'
import type { ImportOptions } from '../../../health/src/imports/import-options.ts'
import { type MappedFile, mapFile } from '../../../health/src/imports/running/map-file.ts'
import { buildZip } from './build-zip.ts'

/** One file, or the files of a zip by their paths. */
type Content = string | Buffer | Readonly<Record<string, string | Buffer>>

/** Returns what a file becomes, as `salus import --dry-run` shows it. */
export async function mapContent(
  content: Content,
  options: ImportOptions = {},
  {
    format,
    maxBytes = 2 ** 32,
    now = new Date('2026-11-01T12:00:00Z'),
  }: { format?: string; maxBytes?: number; now?: Date } = {},
): Promise<{ mapped: MappedFile; lines: PayloadLine[]; of: (resource: string) => PayloadLine[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'salus-map-'))
  try {
    const path = join(folder, 'file')
    const isOne = typeof content === 'string' || Buffer.isBuffer(content)
    await writeFile(path, isOne ? content : zipOf(content))
    const lines: PayloadLine[] = []
    const mapped = await mapFile({
      ...{ path, maxBytes, options, now },
      ...{ onLine: (line: PayloadLine) => lines.push(line) },
      ...(format !== undefined && { format }),
    })
    const of = (resource: string) => lines.filter((line) => line.resource === resource)
    return { mapped, lines, of }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Builds a zip of files by their paths. */
export const zipOf = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  buildZip(
    Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) })),
  )
