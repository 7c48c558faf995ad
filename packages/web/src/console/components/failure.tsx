import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError, invalidFieldsOf } from '../api/api-error.ts'

interface FailureProps {
  error: unknown
  onRetry?: (() => void) | undefined
}

/** Shows an error and its cause in place of the content. */
export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const message = error instanceof Error ? error.message : 'Something went wrong. Try again.'
  const fields = Object.entries(invalidFieldsOf(error))
  return (
    <div className="failure" role="alert">
      <p>{message}</p>
      {fields.length > 1 && (
        <ul>
          {fields.map(([path, text]) => (
            <li key={path}>
              <code>{path}</code>: {text}
            </li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.status > 0 && (
        <p className="failure-code">
          <code>{error.errorType}</code>, status {error.status}
        </p>
      )}
      {onRetry !== undefined && (
        <Button variant="subtle" size="compact-sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
