import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { baseUrl } from '../api/client.ts'
import { Failure } from '../components/failure.tsx'
import { Section } from '../components/page.tsx'
import { saveFile } from '../components/save-file.ts'
import { CodeBlock } from './code-block.tsx'
import { type TableColumns, toCsv, toCurl, toSdkCode } from './query-code.ts'
import { ResultTable } from './result-table.tsx'
import { type QueryRun, useParquetExport } from './use-query-run.ts'

function ExportButtons({ run, number }: { run: QueryRun; number: number }): ReactNode {
  const parquet = useParquetExport()
  const table = run.tables[number] as TableColumns
  const name = `query-${number + 1}`
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => saveFile(new Blob([toCsv(table)], { type: 'text/csv' }), `${name}.csv`)}
      >
        CSV
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() =>
          saveFile(new Blob([JSON.stringify(table)], { type: 'application/json' }), `${name}.json`)
        }
      >
        JSON
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={parquet.isPending}
        onClick={() => parquet.mutate(run, { onSuccess: (blob) => saveFile(blob, 'query.tar.gz') })}
      >
        Parquet
      </Button>
      {parquet.error !== null && <Failure error={parquet.error} />}
    </>
  )
}

const RULES: Record<QueryRun['sourceRules'][number], string> = {
  merged: 'Sources are merged: each instant counts once.',
  one_source: 'One source counts for each group.',
  all_sources: 'All sources count, even where several measured the same.',
}

const FORMS = [
  { value: 'curl', label: 'curl' },
  { value: 'sdk', label: 'SDK' },
] as const

/** Shows the same request as a curl command and as code. */
function SameAsCode({ run }: { run: QueryRun }): ReactNode {
  const [form, setForm] = useState<string>('curl')
  const sdk = toSdkCode(run.request)
  return (
    <Section
      title="Code of this query"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={[...FORMS]}
          value={form}
          onChange={setForm}
        />
      }
    >
      {form === 'sdk' && sdk === undefined ? (
        <p className="quiet">The builder of the SDK does not support this query. Send its JSON.</p>
      ) : (
        <CodeBlock text={form === 'curl' ? toCurl(baseUrl, run.request) : (sdk ?? '')} />
      )}
    </Section>
  )
}

/** Describes how sources were counted in a table. */
const ruleOf = ({ sourceRules }: QueryRun, index: number): string =>
  RULES[sourceRules[index] ?? 'all_sources']

/** Shows the results of a query. */
export function QueryResult({ run }: { run: QueryRun }): ReactNode {
  return (
    <>
      {run.tables.map((table, index) => {
        const rows = Object.values(table)[0]?.length ?? 0
        return (
          <Section
            // biome-ignore lint/suspicious/noArrayIndexKey: only the order of tables identifies them
            key={index}
            title={run.tables.length === 1 ? 'Result' : `Result ${index + 1}`}
            description={`${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} in ${Math.round(run.milliseconds)} ms. ${ruleOf(run, index)} Times are local to the person.`}
            actions={<ExportButtons run={run} number={index} />}
          >
            <ResultTable table={table} number={index + 1} />
          </Section>
        )
      })}
      <SameAsCode run={run} />
    </>
  )
}
