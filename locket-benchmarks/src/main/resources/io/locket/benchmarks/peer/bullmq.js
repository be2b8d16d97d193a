// A worker of BullMQ with an empty body. Arguments: host, port, concurrency, of how many jobs one fails once (0 for none). Each
// line of input is a command with numbers, each line of output its reply as JSON.
const { Queue, Worker } = require('bullmq');
const readline = require('node:readline');

const [host, port, concurrency] = process.argv.slice(2);
const failEach = Number(process.argv[5]);
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const queue = new Queue('benchmark', { connection });
let started = () => {};
const worker = new Worker('benchmark', body, { connection, concurrency: Number(concurrency), autorun: false });
const options = { removeOnComplete: true };
if (failEach > 0) {
  Object.assign(options, { attempts: 2, backoff: { type: 'fixed', delay: 5 } });
}
let working;

async function body(job) {
  if (failEach > 0 && job.data.number % failEach === 0 && job.attemptsMade === 0) {
    throw new Error('The first attempt fails');
  }
  started();
}

function fail(error) {
  console.error(error);
  process.exit(1);
}

queue.on('error', fail);
worker.on('error', fail);
process.on('unhandledRejection', fail);

async function prepare(count) {
  await worker.pause();
  for (let i = 0; i < count; i += 500) {
    const jobs = [];
    for (let j = i; j < Math.min(count, i + 500); j++) {
      jobs.push({ name: 'empty', data: { number: j }, opts: options });
    }
    await queue.addBulk(jobs);
  }
  return {};
}

async function run(count) {
  const cpu = process.cpuUsage();
  let open = count;
  const done = new Promise((resolve) => {
    started = () => {
      if (--open === 0) {
        resolve();
      }
    };
  });
  work();
  await done;
  const spent = process.cpuUsage(cpu);
  return { cpuMicros: spent.user + spent.system };
}

async function delays(count, delay, pause) {
  work();
  const millis = [];
  for (let i = 0; i < count; i++) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const start = new Promise((resolve) => {
      started = () => resolve(process.hrtime.bigint());
    });
    const sent = process.hrtime.bigint();
    await queue.add('empty', { number: i }, { ...options, delay });
    millis.push(Number((await start) - sent) / 1e6 - delay);
  }
  return { millis };
}

function work() {
  if (!working) {
    working = worker.run();
  }
  worker.resume();
}

const commands = { prepare, run, delays };
let last = Promise.resolve();
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [command, ...numbers] = line.split(' ');
  last = last.then(() => commands[command](...numbers.map(Number))).then((reply) => console.log(JSON.stringify(reply)));
}).on('close', () => process.exit(0));
