import { QUARANTINE_REASONS } from '@salus/health/ingest'
import { IMPORT_FORMATS } from '../../packages/health/src/imports/formats/formats.registry.ts'
import type { ImportFormat } from '../../packages/health/src/imports/formats/import-format.ts'
import { ImportOptions } from '../../packages/health/src/imports/import-options.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'

/** Generates docs/imports.md: the files that people export themselves. */
export function describeImports(): string {
  return joinParts(
    generatedNotice('packages/health/src/imports/formats'),
    '# Importing files',
    INTRODUCTION,
    '## Formats',
    markdownTable(
      ['Format', 'File', 'Provider of the data', 'Options'],
      IMPORT_FORMATS.map(({ slug, title, provider, options }) => [
        code(slug),
        title,
        typeof provider === 'string' ? code(provider) : 'by the device',
        options.map(code).join(', '),
      ]),
    ),
    ...IMPORT_FORMATS.map(describeFormat),
    '## How it works',
    HOW_IT_WORKS,
    '## Options',
    markdownTable(
      ['Option', 'Meaning'],
      Object.entries(
        ImportOptions.properties as Readonly<Record<string, { description?: string }>>,
      ).map(([name, { description = '' }]) => [code(name), description]),
    ),
    '## What is quarantined',
    'A record that cannot be stored is quarantined with a reason, and `GET /v2/user/{user_id}/put_aside` lists it. Names, notes of other people and head rows of a file are not kept.',
    markdownTable(
      ['Reason', 'Meaning'],
      Object.entries(QUARANTINE_REASONS).map(([reason, meaning]) => [code(reason), meaning]),
    ),
  )
}

const describeFormat = ({ slug, title, howToExport, notes }: ImportFormat): string =>
  joinParts(
    `### ${title}`,
    `${code(slug)}. ${howToExport}`,
    notes.map((note) => `- ${note}`).join('\n'),
  )

const INTRODUCTION = `People can export their data themselves: from an account of a vendor, from an app, or from a device. Salus imports these files without any approval of a vendor. The format is recognized by the content, so that a file needs no name:

\`\`\`sh
npx salus import data.zip --client-user-id alex --create
\`\`\`

\`--dry-run\` prints what the file is and would become, without a server. The console has the same on the page *Import* of a person. Without the command line, send the file as the body of \`POST /v2/user/{user_id}/import\`, and follow the job by \`GET /v2/user/{user_id}/import/{job_id}\`. The export of Apple Health has [a page of its own](apple-health.md).`

const HOW_IT_WORKS = `1. The request stores the file and returns a job. A worker recognizes the format. A file of another kind fails the job with \`unknown_format\` and a sentence about what it looks like.
2. Where the file leaves a question open, such as the order of day and month, the job gets the status \`needs_options\` and lists the questions; nothing is stored yet. \`PATCH /v2/user/{user_id}/import/{job_id}\` answers them and continues the job, without a second upload. Nothing is guessed. A job without an answer fails after 7 days.
3. Local times without a zone are placed in the \`time_zone\` of the options, otherwise in the fallback time zone of the user. With \`floating\` they are stored as they are, with an unknown offset ([base rules](contract/01-conventions.md#base-rules)).
4. Records are converted to the units of the [series](series.md), quarantined with a reason, or counted as not supported. The progress of the job counts them by type.
5. The uploaded file is deleted when the import has ended.

Importing a file again changes nothing. A record that the file does not date is dated by its own time and the time of the export, so that a newer export wins over an older one in any order of imports, and data of the vendor's cloud or of the phone win over both ([decision 87](decisions/0087-dates-of-imported-records.md)). Where a vendor uses the same ids in its export and its interface, a record of both is stored once. The same night or workout of several sources is listed once by [merged reads](merging.md).

Files that expand to more than two hundred times their size are refused, as are files above \`SALUS_IMPORT_MAX_BYTES\`. No file is in memory as a whole, apart from small ones such as one workout.`
