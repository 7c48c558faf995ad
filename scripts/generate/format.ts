import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Formats a JSON document as the linter wants it; others are made as they shall be. */
export function formatDocument(name: string, content: string): string {
  return name.endsWith('.json') ? format(content, 'json') : content
}

/** Long unions break in ways that only the formatter knows. It also refuses what is no code. */
export const formatTypeScript = (content: string): string => format(content, 'ts')

/**
 * An install without packages of developers has no formatter: programs read the code there as it is
 * made.
 */
function format(content: string, extension: string): string {
  const formatter = findFormatter()
  if (formatter === undefined) return content
  // No path of a file that git ignores, which would be left as it is.
  const args = [formatter, 'format', `--stdin-file-path=content.${extension}`]
  const options = { cwd: ROOT, input: content, encoding: 'utf8', maxBuffer: 64e6 } as const
  return execFileSync(process.execPath, args, options)
}

function findFormatter(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'))
  } catch {
    return undefined
  }
}
