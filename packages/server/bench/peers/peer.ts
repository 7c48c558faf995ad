import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { HeartRateSample } from '../heart-rate.ts'
import { stopProcess, waitUntilReady } from '../server-process.ts'

/** Minimum, maximum and mean of a day. */
export type DailyValues = readonly [min: number, max: number, mean: number]

/** Reads the numbers of an answer: only for the check, outside of the measured time. */
type Parse<T> = () => T

/** A store that does the work over its own protocol, in processes of its own. */
export interface Peer {
  name: string
  /** The server and all that it started. */
  processIds(): number[]
  /** Makes a request that stores samples of a person, before the clock runs. */
  prepareUpload(person: number, samples: readonly HeartRateSample[]): () => Promise<unknown>
  /** Samples of 24 hours, in order of time. */
  readDay(person: number, from: number): Promise<Parse<number[]>>
  /** Daily values of all that was uploaded for a person. */
  readDaily(person: number): Promise<Parse<DailyValues[]>>
  /** What a night without uploads does to the store before it is read. */
  tidy(): Promise<void>
  /** Bytes of the whole data folder as it is now. */
  folderBytes(): number
  /** Bytes of the samples after all merges. The last call: some have to stop for it. */
  mergedBytes(): Promise<number>
  stop(): Promise<void>
}

/** What a peer is made with. */
export interface PeerOptions {
  /** A folder of its own. */
  directory: string
  people: number
  /** Days of samples that are uploaded, from the first minute on. */
  days: number
}

/** Absolute path of a program, or undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Program {
  pid: number
  stop(): Promise<void>
}

/** Starts a program and waits until its URL answers. */
export async function startProgram(
  path: string,
  parameters: readonly string[],
  readyUrl: string,
  environment: Record<string, string> = {},
): Promise<Program> {
  const child = spawn(path, parameters, {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  })
  await waitUntilReady(child, readyUrl)
  return { pid: child.pid ?? 0, stop: () => stopProcess(child) }
}

/** Bytes that a folder takes on the disk; files may vanish meanwhile, which `du` reports. */
export function bytesOnDisk(directory: string): number {
  const { stdout } = spawnSync('du', ['-s', '--block-size=1', directory], { encoding: 'utf8' })
  return Number(stdout.split('\t')[0])
}

/** Closes the client of a peer and stops it, the first time it is called. */
export function stopOnce(
  client: { close(): Promise<void> },
  server: { stop(): Promise<void> },
): () => Promise<void> {
  let stopped: Promise<void> | undefined
  return () => {
    stopped ??= client.close().then(() => server.stop())
    return stopped
  }
}
