import { ActionIcon } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { IconX } from '../../components/icons.tsx'

interface FileChoiceProps {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
}

const TYPES = ['application/pdf', 'image/jpeg', 'image/png']
const MOST_FILES = 8
const MOST_BYTES = 10 * 1024 * 1024

/** A field for one PDF, or photos of the pages in order: chosen, or dropped there. */
export function FileChoice({ files, onChange }: FileChoiceProps): ReactNode {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const add = (more: FileList | null) => onChange([...files, ...(more ?? [])])
  const problem = findProblem(files)
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input within does the same by keyboard */}
      <div
        className="reports-drop"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          add(event.dataTransfer.files)
        }}
      >
        <label htmlFor={id}>Choose a PDF or photos of the pages, or drop them here</label>
        <input
          id={id}
          type="file"
          multiple
          accept={TYPES.join(',')}
          onChange={({ currentTarget }) => {
            add(currentTarget.files)
            currentTarget.value = ''
          }}
        />
        <small className="quiet">
          Up to 10 MiB for a file, and up to 8 photos in the order of the pages.
        </small>
      </div>
      <ol className="reports-files">
        {files.map((file, index) => (
          <li key={`${file.name} ${file.lastModified} ${file.size}`}>
            <span>{file.name}</span>
            <span className="quiet">{formatSize(file.size)}</span>
            <ActionIcon
              variant="subtle"
              size={28}
              aria-label={`Remove ${file.name}`}
              onClick={() => onChange(files.filter((_, at) => at !== index))}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ol>
      {problem !== undefined && (
        <p className="reports-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Returns the error that the server would report. */
export function findProblem(files: readonly File[]): string | undefined {
  if (files.some(({ type }) => !TYPES.includes(type)))
    return 'Only PDF, JPEG and PNG files are supported.'
  if (files.some(({ size }) => size === 0)) return 'A file is empty. Choose another one.'
  if (files.some(({ size }) => size > MOST_BYTES))
    return 'A file is larger than 10 MiB. Choose a smaller one.'
  if (files.length > 1 && files.some(({ type }) => type === 'application/pdf')) {
    return 'A PDF is a report of its own. Choose one PDF, or several photos.'
  }
  if (files.length > MOST_FILES) return 'A report can have up to 8 photos.'
  const all = files.reduce((sum, { size }) => sum + size, 0)
  return all > 2 * MOST_BYTES ? 'The files are larger than 20 MiB together.' : undefined
}

function formatSize(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KiB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
