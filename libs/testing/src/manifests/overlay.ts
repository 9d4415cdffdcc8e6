import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kustomize } from './kubectl';
import { configMap, manifest, workload, type Manifest, type Workload } from './manifest';

const manifests = path.resolve(__dirname, '../../../../k8s');

/** The manifests that one overlay of `k8s/overlays` deploys. */
export class Overlay {
  private constructor(readonly manifests: readonly Manifest[]) {}

  /**
   * @param name a folder of `k8s/overlays`, such as `production/chat`, or an absolute path. @throws Error if it cannot
   * be built
   */
  static build(name: string): Overlay {
    const documents = parseAllDocuments(kustomize(path.resolve(manifests, 'overlays', name)));
    return new Overlay(documents.map((document) => manifest.parse(document.toJS())));
  }

  /** @throws Error if there is none of that kind and name */
  get(kind: string, name: string): Manifest {
    const found = this.manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (found === undefined) throw new Error(`the overlay has no ${kind} ${name}`);
    return found;
  }

  /** Every Deployment and Job. */
  get workloads(): Workload[] {
    return this.manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map((one) => workload.parse(one));
  }

  /**
   * The environment of the first container of a Deployment or Job, including its ConfigMaps, with `secret` for values
   * from secrets.
   */
  environmentOf(kind: 'Deployment' | 'Job', name: string, secret: (key: string) => string): Record<string, string> {
    const [container] = workload.parse(this.get(kind, name)).spec.template.spec.containers;
    const maps = (container?.envFrom ?? []).map(({ configMapRef }) =>
      configMap.parse(this.get('ConfigMap', configMapRef.name)),
    );
    const own = (container?.env ?? []).map(({ name: variable, value, valueFrom }): [string, string] => [
      variable,
      valueFrom === undefined ? (value ?? '') : secret(valueFrom.secretKeyRef.key),
    ]);
    return Object.fromEntries([...maps.flatMap(({ data }) => Object.entries(data)), ...own]);
  }

  /** The files that secrets put into the pods of a Deployment: path in the container, key in the secret. */
  secretFilesOf(deployment: string): Map<string, string> {
    const { containers, volumes } = workload.parse(this.get('Deployment', deployment)).spec.template.spec;
    const mounts = containers.flatMap(({ volumeMounts }) => volumeMounts);
    return new Map(
      volumes.flatMap(({ name, secret }) => {
        const mount = mounts.find((one) => one.name === name);
        return (secret?.items ?? []).map(({ key, path: file }): [string, string] => [
          path.posix.join(mount?.mountPath ?? '/', file),
          key,
        ]);
      }),
    );
  }
}
