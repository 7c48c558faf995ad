export { createLabSimulator, writeMessage } from './simulator.ts'
