/// A check of `larder doctor`.
protocol DoctorCheckContract: Sendable {
    /// Runs the check. Returns at least one finding, even if there is no problem.
    func look(at subject: DoctorSubject) async -> [DoctorFinding]
}
