import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { unwrapResponse } from '../../api/client.ts'
import { type Permission, usePermission } from '../../api/session.ts'
import { IconDownload } from '../icons.tsx'
import { saveFile } from '../save-file.ts'

interface ExportButtonProps {
  /** What the role needs, as the operation does. */
  permissions: readonly Permission[]
  /** Name of the file, without an ending. */
  name: string
  /** Requests the file of the list as it is filtered. */
  request: () => Parameters<typeof unwrapResponse<Blob>>[0]
}

/** Downloads all rows of a list as CSV, not only those that are loaded. */
export function ExportButton({ permissions, name, request }: ExportButtonProps): ReactNode {
  const download = useMutation({
    mutationFn: () => unwrapResponse(request()),
    onSuccess: (file) => saveFile(file, `${name}.csv`),
  })
  const { error } = download
  if (!usePermission(...permissions)) return null
  return (
    <span>
      {error !== null && (
        <span role="alert" className="list-error">
          {error instanceof ApiError && error.errorType === 'too_many_rows'
            ? 'A file has at most 100,000 rows. Filter the list.'
            : error.message}{' '}
        </span>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconDownload size={15} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download CSV
      </Button>
    </span>
  )
}
