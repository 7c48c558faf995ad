import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatSize } from './import-words.ts'
import type { ImportQueue } from './use-import.ts'

/** Lists the files that are chosen, with what became of each. */
export function FileQueue({ queue }: { queue: ImportQueue }): ReactNode {
  if (queue.items.length === 0) return null
  return (
    <ul className="imports" aria-label="Chosen files">
      {queue.items.map(({ id, file, state, problem }) => (
        <li key={id}>
          <span className="imports-file">
            {file.name} <span className="quiet">{formatSize(file.size)}</span>
          </span>
          {file.size === 0 ? (
            <span role="alert">The file is empty. Choose another one.</span>
          ) : (
            problem !== undefined && <span role="alert">{problem}</span>
          )}
          {state !== 'sending' && (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`Remove ${file.name}`}
              onClick={() => queue.remove(id)}
            >
              Remove
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
