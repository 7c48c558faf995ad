import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/page.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { formatsQuery } from './import-queries.ts'

/** Lists what can be imported, and how a person gets each file. */
export function FormatList(): ReactNode {
  const { data: formats, error, refetch } = useQuery(formatsQuery(useEnvironment()))
  return (
    <Section title="What can be imported" description="Open an entry to see how to get the file.">
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {formats === undefined && error === null && <Waiting label="Loading the formats" />}
      <ul className="imports-formats">
        {formats?.map(({ slug, title, how_to_export, notes }) => (
          <li key={slug}>
            <details>
              <summary>{title}</summary>
              <p>{how_to_export}</p>
              <ul>
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  )
}
