import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError, invalidFieldsOf } from '../api/api-error.ts'

interface FailureProps {
  error: unknown
  onRetry?: (() => void) | undefined
}

/** What could not be done and why, in its place. */
export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const message = error instanceof Error ? error.message : 'Something went wrong.'
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
