import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a small file for the owner only. The file is complete, or as it was before, whatever
 * happens meanwhile, and survives a power cut once this returns.
 */
export function writeDurably(path: string, content: string): void {
  const draft = writeDraft(path, content)
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/**
 * Writes a file as writeDurably does, but leaves an existing file as it is and returns false then.
 */
export function createDurably(path: string, content: string): boolean {
  const draft = writeDraft(path, content)
  try {
    // Unlike a rename it fails when another process was first.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(path))
  return true
}

/**
 * The draft has its own name: a process that died leaves one file, which the next one overwrites.
 */
function writeDraft(path: string, content: string): string {
  const draft = `${path}.${process.pid}.partial`
  rmSync(draft, { force: true })
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return draft
}

/** Syncs a folder: the name of a file is in its folder, and only as durable as that. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
