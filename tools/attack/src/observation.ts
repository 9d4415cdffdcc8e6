import { type Experience, type HonestLoad } from './honest/honest-load';
import { startHonest } from './honest/start';
import { Measurement } from './measurement/measurement';
import { type ServiceOutcome } from './outcome';
import { type ServiceName } from './target/services';
import { type Target } from './target/target';

/** Runs honest clients of some services and measures the services. */
export class Observation {
  private readonly loads = new Map<ServiceName, HonestLoad>();
  private readonly measurements = new Map<ServiceName, Measurement>();
  private before = new Map<ServiceName, Experience>();

  private constructor(private readonly target: Target) {}

  /** Starts the honest clients. @throws Error if a service does not accept one of them */
  static async start(target: Target, services: readonly ServiceName[]): Promise<Observation> {
    const observation = new Observation(target);
    try {
      for (const service of services) observation.loads.set(service, await startHonest(service, target));
      observation.measure();
      return observation;
    } catch (error) {
      await observation.close();
      throw error;
    }
  }

  /** Discards the results of the warm-up. */
  discardResults(): void {
    for (const load of this.loads.values()) load.takeExperience();
  }

  /**
   * Ends the phase before the attack, if there was one. It is measured too, so that the latencies of both phases can be
   * compared.
   */
  beginAttack(): void {
    this.before = new Map([...this.loads].map(([service, load]) => [service, load.takeExperience()]));
    this.measure();
  }

  /** Calls back if one of the processes ends. */
  onDeath(callback: () => void): void {
    for (const { ended } of this.measurements.values()) void ended.then(callback);
  }

  /** Resolves when all honest operations end. */
  async finish(): Promise<ServiceOutcome[]> {
    const outcomes = [...this.loads].map(async ([service, load]) => {
      await load.stop();
      const figures = await this.measurements.get(service)?.stop();
      if (figures === undefined) throw new Error(`${service} was not measured`);
      return { service, before: this.before.get(service), during: load.takeExperience(), figures };
    });
    return await Promise.all(outcomes);
  }

  async close(): Promise<void> {
    for (const measurement of this.measurements.values()) await measurement.stop();
    for (const load of this.loads.values()) {
      await load.stop();
      await load.close();
    }
  }

  /** Begins new measurements in place of those before. */
  private measure(): void {
    for (const service of this.loads.keys()) {
      void this.measurements.get(service)?.stop();
      this.measurements.set(service, new Measurement(this.target.service(service)));
    }
  }
}
